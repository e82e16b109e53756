/* Metrics of ranking and of rating prediction. */
#ifndef FRS_ALGORITHMS_METRICS_H
#define FRS_ALGORITHMS_METRICS_H

#include <stddef.h>

/* Returns the rank (1 = best) of scores[held_out] among the n scores. Ties count against the held-out
 * item, and a non-finite score ranks last: a non-finite held-out score gets rank n, and a non-finite
 * competitor never ranks above a finite one. */
size_t frs_metric_rank(const float *scores, size_t n, size_t held_out);

/* HR@K = [rank ≤ K]. */
double frs_metric_hit(size_t rank, size_t k);

/* NDCG@K with one relevant item = 1/log2(rank + 1) if rank ≤ K, else 0. */
double frs_metric_ndcg(size_t rank, size_t k);

/* Means over n ≥ 1 predictions; NaN predictions give NaN, never a silent number. */
double frs_metric_mae(const float *predicted, const float *actual, size_t n);
double frs_metric_rmse(const float *predicted, const float *actual, size_t n);

#endif
