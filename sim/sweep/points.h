/* Several points of a plan, as a task of a cluster runs them, or a user by hand. */
#ifndef FRS_SWEEP_POINTS_H
#define FRS_SWEEP_POINTS_H

#include "sim/base/settings/params.h"

struct frs_points_options {
    const struct frs_section *sections; /* the table that points are read by */
    size_t jobs;                        /* processes at a time; 0: one per core */
    size_t threads;                     /* of each; 0: the cores divided by the processes */
    const char *cache;                  /* folder for what is learnt; NULL: that of the sweep */
    bool no_reuse;                      /* every point learns for itself */
    bool needed;                        /* without replicates that sweep.stop_metric makes needless */
};

/* Runs these points [n], ascending, of the plan file into points/ beside it, unless they are finished: as
 * processes of this machine, which share data and what is learnt (local.h). A point that fails leaves the
 * others alone; its messages are in points/NNNN.log. With `needed`, a replicate whose earlier ones have no
 * results is not run, and counts as failed. Returns FRS_ERR_RUN when points failed, FRS_INTERRUPTED
 * after a signal. A task that was lost can be run again: it goes on with what is not finished. */
enum frs_status frs_points_run(const char *plan, const size_t *points, size_t n,
    const struct frs_points_options *options, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
