/* Curves: quality of runs round by round, over replicates. */
#ifndef FRS_ANALYSIS_FIGURES_CURVES_H
#define FRS_ANALYSIS_FIGURES_CURVES_H

#include "analysis/read/run_reader.h"

/* After an evaluated round, sums over the replicates that have it. */
struct frs_curve_point {
    double round;
    size_t n;
    double time_s, bytes, quality, least, most;
};

/* All zero: none. */
struct frs_curve {
    struct frs_curve_point *points; /* [n] by round */
    size_t n, capacity, runs;
};

/* Adds the rows of a run that have this quality. Errors: rounds.csv lacks a column, or contains something
 * else in it. */
enum frs_status frs_curve_add(struct frs_curve *curve, const struct frs_run_results *run, const char *quality,
    struct frs_errors *errors) FRS_MUST_CHECK;

void frs_curve_fini(struct frs_curve *curve);

#endif
