/* Watching an event queue from the server's actor: what the engine backends `calendar` and `actors` have in
 * common. */
#ifndef FRS_ACTORS_BACKENDS_WATCH_H
#define FRS_ACTORS_BACKENDS_WATCH_H

#include "actors/server/server.h"
#include "actors/links/event_queue.h"

typedef void frs_handle_due(struct frs_in_flight *in_flight);

/* Goes from event to event, of whose times the backend tells SimGrid's clock, and calls `handle_due` at each
 * (struct frs_backend, wait and drain). */
void frs_watch(struct frs_in_flight *in_flight, double until_s, frs_handle_due *handle_due);
void frs_watch_drain(struct frs_in_flight *in_flight, double until_s, frs_handle_due *handle_due);

/* struct frs_backend, shorten and stop. */
void frs_watch_shorten(struct frs_in_flight *in_flight, struct frs_participation *participation);
void frs_watch_stop(struct frs_in_flight *in_flight, struct frs_participation *participation,
    enum frs_outcome outcome, enum frs_cause cause);

#endif
