/* TCP growth: how a sender's window grows with what is acknowledged: slow start that ends as HyStart finds,
 * and CUBIC, counted in whole packets as Linux does. Pure. */
#ifndef FRS_ACTORS_LINKS_TCP_GROWTH_H
#define FRS_ACTORS_LINKS_TCP_GROWTH_H

#include "actors/links/tcp_state.h"

#define FRS_HYSTART_WINDOW 16 /* packets, below which slow start goes on */

/* How much longer than the shortest round trip all of a round are where a queue has built up. */
double frs_hystart_patience_s(double delay_s);

/* A packet is acknowledged, and all before it. `is_sample`: the first of those that are acknowledged
 * together. */
void frs_tcp_grow(struct frs_tcp_sender *sender, double now_s, double rtt_s, bool is_sample);

#endif
