/* Event loop: simulated time goes from one end of a step to the next (actors/links/event_queue.h), in the
 * server's actor; shared by the engine backends `calendar` and `actors`. */
#ifndef FRS_ACTORS_BACKENDS_EVENT_LOOP_H
#define FRS_ACTORS_BACKENDS_EVENT_LOOP_H

#include "actors/server/server.h"
#include "actors/links/event_queue.h"

typedef void frs_handle_due(struct frs_in_flight *in_flight);

/* Goes from event to event, of whose times the backend tells SimGrid's clock, and calls `handle_due` at each
 * (struct frs_backend, wait and drain). */
void frs_event_loop_wait(struct frs_in_flight *in_flight, double until_s, frs_handle_due *handle_due);
void frs_event_loop_drain(struct frs_in_flight *in_flight, double until_s, frs_handle_due *handle_due);

/* struct frs_backend, shorten and stop. */
void frs_event_loop_shorten(struct frs_in_flight *in_flight, struct frs_participation *participation);
void frs_event_loop_stop(struct frs_in_flight *in_flight, struct frs_participation *participation,
    enum frs_outcome outcome, enum frs_cause cause);

#endif
