#include "analysis/statistics/order_statistics.h"

#include <math.h>

static double log_choose(double n, double k) {
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* Each weight follows from the one before: w(i+1) / w(i) = i / (i−rank+1) · (N−i−k+rank) / (N−i).
 * Logarithms are used, because the first weights are as small as 1 / C(N, k). Dividing by the sum of the
 * weights removes their rounding error. */
double frs_expected_order(const double *values, size_t n, size_t population, size_t k, size_t rank) {
    double size = (double)population, above = (double)(k - rank), r = (double)rank, sum = 0, weights = 0;
    double log_weight = log_choose(size - r, above) - log_choose(size, (double)k);
    for (size_t i = rank; i <= population - (k - rank); i++) {
        double weight = exp(log_weight), at = (double)i;
        sum += weight * values[(i - 1) * n / population];
        weights += weight;
        if (i < population)
            log_weight += log(at / (at - r + 1)) + log((size - at - above) / (size - at));
    }
    return sum / weights;
}
