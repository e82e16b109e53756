/* Schedule: which point of a sweep may start next.
 *
 * What is run depends on results only, never on the order in which runs end, so that a sweep that was
 * interrupted, or one with more processes, runs the same points. */
#ifndef FRS_SWEEP_SCHEDULE_H
#define FRS_SWEEP_SCHEDULE_H

#include "sim/sweep/plan.h"

struct frs_schedule;

struct frs_schedule_counts {
    size_t points, found; /* found: finished before this schedule began */
    size_t done;          /* finished, those found included */
    size_t failed, running;
    size_t left;           /* may still have to be started */
    size_t skipped;        /* not needed: their cell is known well enough */
    size_t without_figure; /* finished, but without what sweep.stop_metric names */
};

/* Looks at what is finished in `folder` already. `reuse`: of the points that learn the same, the first goes
 * ahead of the others, which find its results in the cache. */
struct frs_schedule *frs_schedule_create(const struct frs_sweep_plan *plan, const char *folder, bool reuse);
void frs_schedule_destroy(struct frs_schedule *schedule);

/* A point to start now, or SIZE_MAX when all others have been run or have to wait for one that is running.
 * The point counts as running from then on. */
size_t frs_schedule_next(struct frs_schedule *schedule);

/* A running point has ended. */
void frs_schedule_end(struct frs_schedule *schedule, size_t point, bool finished);

/* A running point was taken back. */
void frs_schedule_return(struct frs_schedule *schedule, size_t point);

/* A point that is waiting counts as failed, and is not started: nothing would come of it. Any other stays as
 * it is. */
void frs_schedule_give_up(struct frs_schedule *schedule, size_t point);

struct frs_schedule_counts frs_schedule_counts(const struct frs_schedule *schedule);

/* All points that are neither finished nor skipped, ascending; *points is freed by the caller. For engines
 * that submit everything at once. */
size_t frs_schedule_left(const struct frs_schedule *schedule, size_t **points);

/* waits [n]: which of points [n], those left, had better run when the others have ended, because one of these
 * learns the same. */
void frs_schedule_waits(const struct frs_schedule *schedule, const size_t *points, size_t n, bool *waits);

#endif
