/* The folder in which the replay of a bundle keeps its runs: as a sweep leaves it, but for tables and the
 * page. */
#ifndef FRS_CLI_REPLAY_PLACE_H
#define FRS_CLI_REPLAY_PLACE_H

#include "sim/bundle/bundle.h"

#include <stdbool.h>

/* Whether the bundle (of this name, for messages) may be replayed into the folder: nothing is there, or with
 * `resume` what an interrupted replay of a sweep with the same plan has left. *held says that the plan is
 * there already. A single run's place is left to frs_run where it is to go on. */
enum frs_status frs_replay_place_check(const struct frs_bundle *bundle, const char *name, const char *out,
    bool resume, bool *held, struct frs_errors *errors) FRS_MUST_CHECK;

/* Makes the folder and writes the plan into it. */
enum frs_status frs_replay_place_open(
    const json_t *plan, const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

/* Removes the plan and the folder again if no run is in it. */
void frs_replay_place_discard(const char *folder);

#endif
