/* Schedule: which point of a sweep may start next.
 *
 * The choice depends on results only, never on the order in which runs end, so that an interrupted sweep,
 * or one with more processes, runs the same points. */
#ifndef FRS_SWEEP_SCHEDULE_H
#define FRS_SWEEP_SCHEDULE_H

#include "sim/sweep/plan.h"
#include "sim/sweep/shard.h"

struct frs_schedule;

struct frs_schedule_counts {
    size_t points, found; /* of the shard; found: finished before this schedule began */
    size_t done;          /* finished, those found included */
    size_t failed, running;
    size_t left;           /* may still have to be started */
    size_t skipped;        /* not needed: their cell is known well enough */
    size_t without_figure; /* finished, but without what sweep.stop_metric names */
};

/* Checks which points are already finished in `folder`. `reuse`: of the points that learn the same, the
 * first runs ahead of the others, which find its results in the cache. */
struct frs_schedule *frs_schedule_create(const struct frs_sweep_plan *plan, const char *folder, bool reuse);

/* Leaves the points of other shards to other machines: they neither run nor count. Where replicates end
 * early, a cell is in one shard. Called before the first point is taken. */
void frs_schedule_take_shard(struct frs_schedule *schedule, const struct frs_shard *shard);

/* The same for all points but these [n], ascending. They run whatever sweep.stop_metric says, because who
 * names points wants them; with `only_needed` they run as far as it needs them. */
void frs_schedule_take_points(
    struct frs_schedule *schedule, const size_t *points, size_t n, bool only_needed);

/* Borrowed: what it was made with. */
const struct frs_sweep_plan *frs_schedule_plan(const struct frs_schedule *schedule);

void frs_schedule_destroy(struct frs_schedule *schedule);

/* Returns a point to start now, or SIZE_MAX when all others have been run or have to wait for one that is
 * running. From then on the point counts as running. */
size_t frs_schedule_next(struct frs_schedule *schedule);

/* A running point has ended. */
void frs_schedule_end(struct frs_schedule *schedule, size_t point, bool finished);

/* A running point was taken back. */
void frs_schedule_return(struct frs_schedule *schedule, size_t point);

/* A waiting point counts as failed and is not started, because it would have no results. Any other point
 * stays as it is. */
void frs_schedule_give_up(struct frs_schedule *schedule, size_t point);

struct frs_schedule_counts frs_schedule_counts(const struct frs_schedule *schedule);

/* Returns all points of the shard that are neither finished nor skipped, ascending; *points is freed by the
 * caller. For launchers that submit everything at once. */
size_t frs_schedule_left(const struct frs_schedule *schedule, size_t **points);

/* The first point that learns the same as this one; itself if there is none, or nothing is reused. */
size_t frs_schedule_leader(const struct frs_schedule *schedule, size_t point);

/* The number of replicates that come before this one, one after the other, because sweep.stop_metric asks
 * after each of them whether the next is needed; 0 for the first stop_min_replicates, which start at once,
 * and for every point of a sweep that does not end early. */
size_t frs_schedule_earlier(const struct frs_schedule *schedule, size_t point);

/* waits [n]: which of the remaining points [n] should run only when the others have ended, because one of
 * these learns the same. */
void frs_schedule_waits(const struct frs_schedule *schedule, const size_t *points, size_t n, bool *waits);

#endif
