/* Message times: how long messages take that are alone on their links, kept for all processes of a sweep.
 *
 * A message whose queue overflows is simulated packet by packet (actors/links/uncontended_flow.h), and the
 * closed form of a run whose links vary has tens of thousands of them. Points of a sweep that have seed,
 * links and method in common have the same ones. So each is simulated by the first point that needs it, and
 * found by the others, in memory that processes share: it is there before they are forked. No result depends
 * on what is kept.
 *
 * What was kept is never replaced, and nothing more is kept once all its places are taken. A process may be
 * killed at any time: a place that it was filling in then stays unused. */
#ifndef FRS_CLOSED_FORM_MESSAGE_TIMES_H
#define FRS_CLOSED_FORM_MESSAGE_TIMES_H

#include "actors/windows.h"

/* Of a sweep: 48 MiB, of which only those places take memory that are filled in. */
#define FRS_MESSAGE_TIMES_MOST ((size_t)1 << 20)

/* From now on up to `most` > 0 times (a power of two) are kept, for this process and those that it forks. If
 * the system gives no memory for it, nothing is kept. Not twice without frs_message_times_close. */
void frs_message_times_open(size_t most);

/* Forgets them. No-op if closed. */
void frs_message_times_close(void);

/* Sets *duration_s and returns true if the flow's duration has been kept. The flow begins a connection:
 * `from` is zeroed, and it has no stream. Always false while closed. */
bool frs_message_times_find(const struct frs_uncontended_flow *flow, double *duration_s);

/* Keeps it, if there is a place. No-op while closed. */
void frs_message_times_keep(const struct frs_uncontended_flow *flow, double duration_s);

#endif
