/* Event loop: simulated time moves from the end of one step to the next (actors/links/event_queue.h), in
 * the server's actor. The engine backends `calendar` and `actors` share it. */
#ifndef FRS_ACTORS_BACKENDS_EVENT_LOOP_H
#define FRS_ACTORS_BACKENDS_EVENT_LOOP_H

#include "actors/server/server.h"
#include "actors/links/event_queue.h"

typedef void frs_handle_due(struct frs_in_flight *in_flight);

/* Goes from event to event and calls `handle_due` at each (struct frs_backend, wait and drain). The
 * backend sets SimGrid's clock to the times of the events. */
void frs_event_loop_wait(struct frs_in_flight *in_flight, double until_s, frs_handle_due *handle_due);
void frs_event_loop_drain(struct frs_in_flight *in_flight, double until_s, frs_handle_due *handle_due);

/* struct frs_backend, shorten and stop. */
void frs_event_loop_shorten(struct frs_in_flight *in_flight, struct frs_participation *participation);
void frs_event_loop_stop(struct frs_in_flight *in_flight, struct frs_participation *participation,
    enum frs_outcome outcome, enum frs_cause cause);

#endif
