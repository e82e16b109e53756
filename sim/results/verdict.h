/* Verdict: whether a finished run is better than its plainest non-federated baseline, which gives all
 * users the same list (popularity, HR@K) or predicts by means of items and users (item_mean, RMSE). A run
 * that is not has not learnt to recommend, however good its figures look. */
#ifndef FRS_RESULTS_VERDICT_H
#define FRS_RESULTS_VERDICT_H

#include "sim/results/outputs.h"

struct frs_verdict {
    const char *baseline; /* NULL: nothing to compare with */
    const char *metric;   /* "hr" (@K) or "rmse" */
    double value, bar;    /* of the last round, on the test items; of the baseline */
    bool better;          /* above the bar, or below it where it is an error; no tie */
};

struct frs_verdict frs_verdict(const struct frs_outputs *outputs);

#endif
