/* Uncontended flow: what a sender does, packet by packet, with a message that is alone on its link, whose
 * rate does not change. Senders, receivers and the queue are those of actors/links/packets.h, and so are
 * all times. But no event is scheduled: the departure of a packet is known when it joins the queue. Pure. */
#ifndef FRS_ACTORS_LINKS_UNCONTENDED_FLOW_H
#define FRS_ACTORS_LINKS_UNCONTENDED_FLOW_H

#include "actors/windows.h"

/* Whether the closed form of actors/slow_start.h is known to hold: no packet is dropped, and slow start is
 * not left too early. */
bool frs_uncontended_flow_has_form(const struct frs_uncontended_flow *flow);

/* Computes the windows in which the message crosses; empty where the closed form holds. A message that
 * follows another may have to wait before its first byte: then the first window is empty, and has that wait.
 * Once slow start is over, nothing is missing and the rest would fill the queue several times over, the rest
 * counts as one window. The caller frees windows->of. */
void frs_uncontended_flow_windows(const struct frs_uncontended_flow *flow, struct frs_windows *windows);

/* What the sender knows when all has been acknowledged. `sent_s` counts from the message's first byte.
 * *stream gets what is under way when all has been sent, on a clock that begins when the last byte has left
 * the link; the caller frees it. NULL: it is not wanted. */
struct frs_path_memory frs_uncontended_flow_memory(
    const struct frs_uncontended_flow *flow, struct frs_tcp_stream *stream);

/* From the first byte on to the last one off the link. */
double frs_uncontended_flow_s(const struct frs_uncontended_flow *flow);

#endif
