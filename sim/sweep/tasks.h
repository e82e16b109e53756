/* Tasks: the points of a sweep that are left, packed into what a cluster runs at once (sim/cluster/batch.h).
 */
#ifndef FRS_SWEEP_TASKS_H
#define FRS_SWEEP_TASKS_H

#include "sim/cluster/batch.h"
#include "sim/sweep/schedule.h"

struct frs_tasks {
    struct frs_task *tasks; /* [n] in the order of their waves */
    size_t n, n_points;
};

/* A task is filled with points that learn the same, and then with the next, as long as their wall times,
 * divided by the points that it runs at the same time, are `task_s` at most; it has at least one.
 * point_s [n_points of the plan]: wall time of each point. NULL: every point is a task of its own.
 *
 * Where replicates end early (sweep.stop_metric), a replicate is in the task of the earlier ones of its cell,
 * if that has room, or in one of a later wave. Each task leaves out what is not needed any more when its turn
 * comes (`fedrecsim point --needed`). */
struct frs_tasks frs_tasks_pack(
    const struct frs_schedule *schedule, const double *point_s, double task_s, size_t at_once);

void frs_tasks_fini(struct frs_tasks *tasks);

#endif
