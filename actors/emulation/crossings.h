/* Crossings: the messages between edges and the server under the engine backend `sockets`. A message is sent
 * right behind the one before it, while that is still on its way; its own participation starts when the one
 * before has arrived. Private to backend.c. */
#ifndef FRS_ACTORS_EMULATION_CROSSINGS_H
#define FRS_ACTORS_EMULATION_CROSSINGS_H

#include "actors/emulation/connection_states.h"

/* As in struct frs_backend. While nothing is under way, a queued message is sent only when the first of its
 * edge starts: the clock stands still. A participation for which nothing was queued is a sum: its bytes are
 * put into the mailbox of its edge. Sent ones count as running until they have ended. */
void frs_crossings_queue(struct frs_in_flight *in_flight, struct frs_participation *carried, bool up);
void frs_crossings_start(struct frs_in_flight *in_flight, struct frs_participation *p);
void frs_crossings_stop(struct frs_in_flight *in_flight, struct frs_participation *p,
    enum frs_outcome outcome, enum frs_cause cause);

/* Something happened on a backhaul: a participation may end. */
void frs_crossings_handle(struct frs_in_flight *in_flight, const struct frs_endpoint_event *event);

/* Takes note of the bytes that have crossed by now. */
void frs_crossings_look(struct frs_in_flight *in_flight);

/* The line whose mailbox at the edge holds the download of this participation. The model of an edge of its
 * own (edge rounds) has crossed no backhaul: it is put there, since the program that trains makes it. */
uint32_t frs_crossings_stored(struct frs_in_flight *in_flight, struct frs_participation *p);

#endif
