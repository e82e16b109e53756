/* Watching a timeline from the server's actor: what the players `calendar` and `actors` have in common. */
#ifndef FRS_ACTORS_WATCH_H
#define FRS_ACTORS_WATCH_H

#include "actors/server.h"
#include "actors/timeline.h"

/* Sleeps from date to date and calls `handle_due` at each, until all have ended or until_s. */
void frs_watch(struct frs_round *round, double until_s, void (*handle_due)(struct frs_round *round));

/* Stops a participation on the timeline (struct frs_player, stop). */
void frs_watch_stop(struct frs_round *round, uint32_t i, enum frs_outcome outcome, enum frs_cause cause);

#endif
