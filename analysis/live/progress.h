/* Progress: how far a run or a sweep is, from the files that it is writing, and how long it still takes.
 *
 *   {"format": "fedrecsim-live-1", "unit": "rounds" or "points", "done", "all", "rows" (of rounds.csv),
 * "running", "failed", "may_end_early" (all is the most there will be), "finishing" (rounds are over, results
 * are being written), "version" (changes with what a page about it would say), "time_left": {"s", "low_s",
 * "high_s", "text", "range", "from"} or null, "why" (why it is not known), "cells": [{"name", "done",
 * "running", "failed", "replicates"}], "points": [{"point", "cell", "replicate", "rounds", "all"}] that run}
 */
#ifndef FRS_ANALYSIS_LIVE_PROGRESS_H
#define FRS_ANALYSIS_LIVE_PROGRESS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define FRS_LIVE_FORMAT "fedrecsim-live-1"

struct frs_follower;

/* Of a run of `n_rounds` rounds at most, whose files grow in `folder`. */
struct frs_follower *frs_follow_run(const char *folder, size_t n_rounds, bool may_end_early);

/* Follows a sweep in `folder`. `searches`: more points may be planned at any time. `at_once`: points that
 * run at a time; 0: as many as are running. `elsewhere`: other machines run them, whose processes are not
 * known here. */
struct frs_follower *frs_follow_sweep(const char *folder, bool searches, size_t at_once, bool elsewhere);

void frs_follower_destroy(struct frs_follower *follower);

/* Reads the files, at a time of frs_wall_s. This is cheap for a run, so it should be called often: the
 * time left is as exact as the calls are frequent. */
void frs_follower_look(struct frs_follower *follower, double now_s);

/* The same, and what they say. */
json_t *frs_follower_progress(struct frs_follower *follower, double now_s);

#endif
