#include "algorithms/metrics/metrics.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/levels.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

/* Finite scores that are at least so large. Without &&, which would be a branch. */
FRS_CLONES static size_t count_finite(const float *scores, size_t n, float least) {
    uint32_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += (uint32_t)(scores[i] >= least) & (uint32_t)(scores[i] <= FLT_MAX);
    return count;
}

size_t frs_metric_rank(const float *scores, size_t n, size_t held_out) {
    FRS_INVARIANT(held_out < n, "item %zu of %zu is to be ranked", held_out, n);
    if (!isfinite(scores[held_out]))
        return n;
    return count_finite(scores, n, scores[held_out]); /* the held-out one among them */
}

FRS_CLONES static size_t count_equal(const float *scores, size_t n, float score) {
    uint32_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += (uint32_t)(scores[i] == score);
    return count;
}

size_t frs_metric_tied(const float *scores, size_t n, size_t held_out) {
    return isfinite(scores[held_out]) ? count_equal(scores, n, scores[held_out]) - 1 : 0;
}

double frs_metric_mae(const float *predicted, const float *actual, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += fabs((double)predicted[i] - actual[i]);
    return sum / (double)n;
}

double frs_metric_rmse(const float *predicted, const float *actual, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double error = (double)predicted[i] - actual[i];
        sum += error * error;
    }
    return sqrt(sum / (double)n);
}
