/* TCP growth: how a sender's window grows with acknowledgements: slow start, which ends as HyStart
 * decides, and CUBIC, counted in whole packets as in Linux. Pure. */
#ifndef FRS_ACTORS_LINKS_TCP_GROWTH_H
#define FRS_ACTORS_LINKS_TCP_GROWTH_H

#include "actors/links/tcp_state.h"

#define FRS_HYSTART_WINDOW 16 /* packets, below which slow start goes on */

/* How much longer than the shortest round trip all of a round are where a queue has built up. */
double frs_hystart_patience_s(double delay_s);

/* A packet and all before it are acknowledged. `is_sample`: it is the first of those that are acknowledged
 * together. */
void frs_tcp_grow(struct frs_tcp_sender *sender, double now_s, double rtt_s, bool is_sample);

#endif
