/* Sweep reader: the points of a sweep that are finished, and what is the matter with the others. */
#ifndef FRS_ANALYSIS_ENTRIES_SWEEP_READER_H
#define FRS_ANALYSIS_ENTRIES_SWEEP_READER_H

#include "analysis/statistics/replicates.h"
#include "analysis/plan/plan.h"
#include "analysis/target/target.h"

struct frs_point_results {
    /* complete, stranded; or the reason why there are no results: missing, failed (there is a log),
     * interrupted, incomplete (not one round was closed), stale (run from another plan), unreadable */
    const char *status;
    bool finished;
    char *complaint; /* the last line of its log, or what is wrong with its files; or NULL */
    /* Why it has failed, if its settings are the reason: "training has diverged", "no client can take
     * part"; or NULL. */
    const char *verdict;
    struct frs_metrics metrics;
};

struct frs_sweep_results {
    char *folder;
    struct frs_sweep_plan *plan;
    struct frs_target target;
    struct frs_point_results *points; /* [plan->n_points] */
    struct frs_replicates *cells;     /* [cells], the finished points in the order of their numbers */
    size_t n_finished;
    char **names; /* [n_names] every metric that a point has, in the order of their first occurrence */
    size_t n_names, names_capacity;
    /* From the first finished point; NULL without any. */
    char *data_hash, *protocol, *candidates, *cut_offs;
};

struct frs_sweep_reading {
    const char *target; /* as frs_target_spec_parse reads it; NULL: the plan's, or else the first run's */
    /* Called for every finished point while its rounds are in memory; or NULL. */
    void (*each)(void *context, size_t point, const struct frs_run_results *run);
    void *context;
};

/* Points that are not finished are no error. On failure adds errors, and leaves nothing. */
enum frs_status frs_sweep_results_read(const char *folder, const struct frs_sweep_reading *request,
    struct frs_sweep_results *sweep, struct frs_errors *errors) FRS_MUST_CHECK;

/* Returns the number of points whose results are wanted and missing. A sweep that ends cells early lacks
 * none, unless some failed. */
size_t frs_sweep_results_lacking(const struct frs_sweep_results *sweep);

void frs_sweep_results_fini(struct frs_sweep_results *sweep);

#endif
