/* The rank of a held-out item (ranking.h makes figures of it), and errors of predicted ratings. */
#ifndef FRS_ALGORITHMS_METRICS_H
#define FRS_ALGORITHMS_METRICS_H

#include <stddef.h>

/* Returns the rank (1 = best) of scores[held_out] among the n scores. Ties count against the held-out
 * item, and a non-finite score ranks last: a non-finite held-out score gets rank n, and a non-finite
 * competitor never ranks above a finite one. */
size_t frs_metric_rank(const float *scores, size_t n, size_t held_out);

/* How many of the n scores are as large as scores[held_out], which is not counted; 0 where that is not
 * finite. */
size_t frs_metric_tied(const float *scores, size_t n, size_t held_out);

/* Means over n ≥ 1 predictions; NaN predictions give NaN, never a silent number. */
double frs_metric_mae(const float *predicted, const float *actual, size_t n);
double frs_metric_rmse(const float *predicted, const float *actual, size_t n);

#endif
