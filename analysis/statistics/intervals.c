#include "analysis/statistics/intervals.h"
#include "sim/base/numbers/beta.h"
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

/* Γ(a + 1/2) / Γ(a); the series is that of its logarithm for large a (DLMF 5.11.8). */
static double gamma_ratio(double a) {
    if (a < 30)
        return tgamma(a + 0.5) / tgamma(a);
    double r = 1 / a, r2 = r * r;
    return sqrt(a) * exp(r * (-1.0 / 8 + r2 * (1.0 / 192 + r2 * (-1.0 / 640 + r2 * 17 / 14336))));
}

/* P(T > t) for t ≥ 0: half of the regularised incomplete beta function I_x(df/2, 1/2) at x = df/(df + t²)
 * (DLMF 8.17). y = 1 − x is computed on its own, because x is nearly 1 for many degrees of freedom. */
static double upper_tail(double t, double df) {
    if (isinf(df))
        return 0.5 * erfc(t / sqrt(2));
    double a = 0.5 * df, b = 0.5, x = df / (df + t * t), y = t * t / (df + t * t);
    double inverse_beta = gamma_ratio(a) / sqrt(M_PI);
    double front = inverse_beta * exp(a * (t * t < df ? log1p(-y) : log(x))) * sqrt(y);
    if (x < (a + 1) / (a + b + 2))
        return 0.5 * front * frs_beta_fraction(a, b, x) / a;
    return 0.5 * (1 - front * frs_beta_fraction(b, a, y) / b);
}

static double density(double t, double df) {
    if (isinf(df))
        return exp(-0.5 * t * t) / sqrt(2 * M_PI);
    return gamma_ratio(0.5 * df) / sqrt(M_PI * df) * exp(-0.5 * (df + 1) * log1p(t * t / df));
}

double frs_stats_t_cdf(double t, double df) {
    return t < 0 ? upper_tail(-t, df) : 1 - upper_tail(t, df);
}

/* Newton's steps, kept inside a bracket that every step narrows. */
double frs_stats_t_quantile(double p, double df) {
    double tail = p < 0.5 ? p : 1 - p, low = 0, high = 1;
    if (p == 0.5)
        return 0;
    while (upper_tail(high, df) > tail) {
        low = high;
        high *= 2;
    }
    double t = 0.5 * (low + high);
    for (int i = 0; i < 200; i++) {
        double excess = upper_tail(t, df) - tail;
        if (excess > 0)
            low = t;
        else
            high = t;
        double next = t + excess / density(t, df);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        double moved = fabs(next - t);
        t = next;
        if (moved <= 1e-15 * t)
            break;
    }
    return p < 0.5 ? -t : t;
}

static double half_width(double standard_error, double df) {
    /* Without any spread the degrees of freedom may be undefined; a spread that is undefined stays so. */
    return standard_error == 0 ? 0 : standard_error * frs_stats_t_quantile(0.5 + 0.5 * FRS_CONFIDENCE, df);
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

/* 0.52 − 0.42 and 0.54 − 0.44 differ in their last bits:
 * what is as small as the rounding of the terms is 0. */
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
