/* Logged rounds beside those of a run: how long their slowest client took, and the coverage. The run gives
 * an interval for 80 % of its rounds; the coverage is the share of the logged rounds that lie in it. */
#ifndef FRS_ANALYSIS_CALIBRATION_AGAINST_H
#define FRS_ANALYSIS_CALIBRATION_AGAINST_H

#include "analysis/calibration/log.h"

#include <stdio.h>

struct frs_rounds_beside {
    size_t n_logged, n_run;
    double logged_s[3], run_s[3]; /* of the rounds: 10 %, 50 %, 90 % */
    double below, within, above;  /* shares of the logged rounds, by 10 % and 90 % of the run's */
    double low, high;             /* of `within`, where 80 % is the truth: 95 % of logs and runs like these */
};

/* run_s [n ≥ 1]: durations of the run's rounds, which it sorts. The log is one of rounds. */
struct frs_rounds_beside frs_rounds_beside(const struct frs_log *log, double *run_s, size_t n);

void frs_rounds_beside_print(const struct frs_rounds_beside *beside, FILE *out);

#endif
