#include "analysis/statistics/intervals.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Taken from the first value on: a mean of equal values is exactly that value. */
double frs_stats_mean(const double *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i] - values[0];
    return n > 0 ? values[0] + sum / (double)n : NAN;
}

double frs_stats_sd(const double *values, size_t n) {
    if (n < 2)
        return NAN;
    double mean = frs_stats_mean(values, n), sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sqrt(sum / (double)(n - 1));
}

static double half_width(double standard_error, double df) {
    /* Without any spread the degrees of freedom may be undefined; a spread that is undefined stays so. */
    return standard_error == 0 ? 0 : standard_error * frs_student_t_quantile(0.5 + 0.5 * FRS_CONFIDENCE, df);
}

struct frs_estimate frs_stats_interval(const double *values, size_t n) {
    struct frs_estimate estimate = {.n = n,
        .mean = frs_stats_mean(values, n),
        .sd = frs_stats_sd(values, n),
        .df = NAN,
        .half_width = NAN};
    if (n >= 2) {
        estimate.df = (double)(n - 1);
        estimate.half_width = half_width(estimate.sd / sqrt((double)n), estimate.df);
    }
    return estimate;
}

/* 0.52 − 0.42 and 0.54 − 0.44 differ in their last bits: a result as small as the rounding of the terms
 * counts as 0. */
struct frs_estimate frs_stats_paired(const double *a, const double *b, size_t n) {
    double *differences = frs_alloc(n, sizeof *differences), largest = 0;
    for (size_t i = 0; i < n; i++) {
        differences[i] = a[i] - b[i];
        largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
    }
    struct frs_estimate estimate = frs_stats_interval(differences, n);
    double rounding = 8 * DBL_EPSILON * largest;
    if (fabs(estimate.mean) <= rounding)
        estimate.mean = 0;
    if (estimate.sd <= rounding)
        estimate.sd = estimate.half_width = 0;
    free(differences);
    return estimate;
}

struct frs_estimate frs_stats_ratio(const double *a, const double *b, size_t n) {
    double base = frs_stats_mean(b, n), ratio = frs_stats_mean(a, n) / base;
    double *scaled = frs_alloc(n, sizeof *scaled);
    for (size_t i = 0; i < n; i++)
        scaled[i] = ratio * b[i];
    struct frs_estimate estimate = frs_stats_paired(a, scaled, n);
    estimate.mean = isfinite(ratio) ? ratio : NAN;
    estimate.sd /= fabs(base);
    estimate.half_width = isfinite(ratio) ? estimate.half_width / fabs(base) : NAN;
    free(scaled);
    return estimate;
}

double frs_stats_grid_variance(const double *steps, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += steps[i] * steps[i];
    return n > 0 ? sum / (12 * (double)n) : 0;
}

struct frs_estimate frs_stats_at_least(struct frs_estimate estimate, double variance) {
    if (estimate.n >= 2 && estimate.sd * estimate.sd < variance) /* never with NaN */
        estimate.half_width = half_width(sqrt(variance / (double)estimate.n), estimate.df);
    return estimate;
}

struct frs_estimate frs_stats_unpaired(
    const double *a, size_t n_a, double least_a, const double *b, size_t n_b, double least_b) {
    struct frs_estimate estimate = {.n = n_a < n_b ? n_a : n_b,
        .mean = frs_stats_mean(a, n_a) - frs_stats_mean(b, n_b),
        .sd = NAN,
        .df = NAN,
        .half_width = NAN};
    if (n_a < 2 || n_b < 2)
        return estimate;
    double sd_a = frs_stats_sd(a, n_a), sd_b = frs_stats_sd(b, n_b);
    double u = fmax(sd_a * sd_a, least_a) / (double)n_a, v = fmax(sd_b * sd_b, least_b) / (double)n_b;
    if (sd_a * sd_a < least_a && sd_b * sd_b < least_b)
        estimate.df = (double)(estimate.n - 1);
    else if (u + v > 0)
        estimate.df = (u + v) * (u + v) / (u * u / (double)(n_a - 1) + v * v / (double)(n_b - 1));
    estimate.half_width = half_width(sqrt(u + v), estimate.df);
    return estimate;
}

/* By logarithms: coefficients of a thousand runs are beyond what a double has. */
static double log_choose(size_t n, size_t k) {
    return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

double frs_stats_chance_of_split(size_t n_a, size_t reached, size_t n_b) {
    return exp(log_choose(n_b, reached) - log_choose(n_a + n_b, n_a + reached));
}
