/* The points of a sweep as processes on this machine, several at a time.
 *
 * Each is forked from this process and does the same as `fedrecsim point`: a crash, a kill or a lack of
 * memory affects only that point. Points share the data that this process has loaded, without a copy. */
#ifndef FRS_SWEEP_LOCAL_H
#define FRS_SWEEP_LOCAL_H

#include "sim/sweep/schedule.h"
#include "sim/sweep/progress.h"

struct frs_local {
    const struct frs_sweep_plan *plan;
    const char *folder;                 /* of the sweep, open (sim/sweep/folder.h) */
    const struct frs_section *sections; /* the table that points are read by */
    const char *cache;                  /* folder for what is learnt, or NULL */
    bool prepares;                      /* points' data are put into the data-set cache before they start */
    size_t jobs;                        /* processes at a time; 0: one per core */
    size_t threads;                     /* of each; 0: the cores divided by the processes */
};

/* Runs the points that the schedule gives, until it has none left. Their stderr goes into points/NNNN.log.
 * Returns FRS_ERR_RUN when points failed; the ticker has named each, with the last line of its log. After
 * SIGINT, SIGTERM or SIGHUP no point is left running, and FRS_INTERRUPTED is returned. When this process
 * is killed, so are its children. */
enum frs_status frs_local_run(const struct frs_local *local, struct frs_schedule *schedule,
    struct frs_ticker *ticker, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
