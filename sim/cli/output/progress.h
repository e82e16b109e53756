/* Progress: what a person sees while a run is going on, on stderr.
 *
 * On a terminal one line is redrawn in place (bar, round, simulated time, metric, time to go), at most ten
 * times a second; elsewhere a plain line is printed for the first and last round and about every tenth of the
 * run. */
#ifndef FRS_CLI_PROGRESS_H
#define FRS_CLI_PROGRESS_H

#include "sim/run/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct frs_progress;

/* `quiet` makes every call a no-op. */
struct frs_progress *frs_progress_create(FILE *out, size_t n_rounds, bool quiet);

/* After a closed round. `metric` is NULL while nothing has been evaluated. */
void frs_progress_round(
    struct frs_progress *progress, size_t rounds_done, double simulated_s, const char *metric, double value);

/* Ends the line in place, if there is one. */
void frs_progress_destroy(struct frs_progress *progress);

/* One that is shown on stderr while a run goes on; *progress is its own. */
struct frs_watcher frs_progress_watcher(struct frs_progress **progress);

#endif
