#include "analysis/statistics/transfer_law.h"
#include "analysis/statistics/stats.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The quotients tried: 0, and from a hundredth of the median size to thirty times it; then closer about the best. */
enum { PER_DECADE = 8, DECADES_BELOW = 2, STEPS = 29, CLOSER = 8 };

/* Half of the chi-square of one degree of freedom at 95 %. */
#define PROFILE 1.92
/* Deviations below this are the rounding of a log. */
#define RESOLUTION 1e-6
/* Range of latency's share beyond which the split is anybody's guess. */
#define WIDEST_SPLIT 0.5

static int ascending(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

double frs_quantile_of_sorted(const double *values, size_t n, double share) {
    double place = share * (double)(n - 1);
    size_t below = (size_t)floor(place);
    if (below + 1 >= n)
        return values[n - 1];
    return values[below] + (place - (double)below) * (values[below + 1] - values[below]);
}

double frs_median_of(double *values, size_t n) {
    qsort(values, n, sizeof *values, ascending);
    return frs_quantile_of_sorted(values, n, 0.5);
}

double frs_transfer_sigma(double *values, size_t n, size_t n_fitted) {
    if (n <= n_fitted || n < 2)
        return NAN;
    qsort(values, n, sizeof *values, ascending);
    double wide = frs_quantile_of_sorted(values, n, 0.9) - frs_quantile_of_sorted(values, n, 0.1);
    double freedom = (double)n / (double)(n - n_fitted);
    return wide / (2 * frs_stats_t_quantile(0.9, INFINITY)) * sqrt(freedom);
}

/* ---- the fit ------------------------------------------------------------------------------------------- */

struct search {
    const struct frs_transfer *transfers;
    size_t n;
    double *logs; /* [n] */
};

struct found {
    double quotient; /* bytes that would take as long as the latency */
    double s_per_byte, mean_deviation;
};

static struct found at(const struct search *search, double quotient) {
    struct found found = {.quotient = quotient};
    for (size_t i = 0; i < search->n; i++)
        search->logs[i] = log(search->transfers[i].duration_s / (quotient + search->transfers[i].bytes));
    double middle = frs_median_of(search->logs, search->n);
    for (size_t i = 0; i < search->n; i++)
        found.mean_deviation += fabs(search->logs[i] - middle);
    found.mean_deviation = found.mean_deviation / (double)search->n + RESOLUTION;
    found.s_per_byte = exp(middle);
    return found;
}

static double median_bytes(const struct search *search) {
    for (size_t i = 0; i < search->n; i++)
        search->logs[i] = search->transfers[i].bytes;
    return frs_median_of(search->logs, search->n);
}

/* The quotient of a step; the first is none. */
static double quotient_of(double median, double step) {
    return step < 1 ? 0 : median * pow(10, (step - 1) / PER_DECADE - DECADES_BELOW);
}

struct frs_transfer_law frs_transfer_fit(const struct frs_transfer *transfers, size_t n) {
    struct search search = {transfers, n, frs_alloc(n, sizeof(double))};
    double median = median_bytes(&search), least_share = 1, largest_share = 0;
    struct found steps[STEPS + 1], best = at(&search, 0);
    int best_step = 0;
    for (int step = 0; step <= STEPS; step++) {
        steps[step] = at(&search, quotient_of(median, step));
        if (steps[step].mean_deviation < best.mean_deviation * (1 - 1e-12)) {
            best = steps[step];
            best_step = step;
        }
    }
    for (int part = 1 - CLOSER; best_step > 0 && part < CLOSER; part++) {
        struct found near = at(&search, quotient_of(median, fmax(1, best_step + (double)part / CLOSER)));
        if (near.mean_deviation < best.mean_deviation * (1 - 1e-12))
            best = near;
    }
    for (int step = 0; step <= STEPS; step++)
        if ((double)n * log(steps[step].mean_deviation / best.mean_deviation) <= PROFILE) {
            double share = steps[step].quotient / (steps[step].quotient + median);
            least_share = fmin(least_share, share);
            largest_share = fmax(largest_share, share);
        }
    free(search.logs);
    return (struct frs_transfer_law){
        .latency_s = best.quotient * best.s_per_byte,
        .s_per_byte = best.s_per_byte,
        .told_apart = n > 2 && largest_share - least_share <= WIDEST_SPLIT,
    };
}

struct frs_transfer_law frs_transfer_fit_least_squares(const struct frs_transfer *transfers, size_t n) {
    double mean_bytes = 0, mean_s = 0, squares = 0, products = 0;
    for (size_t i = 0; i < n; i++) {
        mean_bytes += transfers[i].bytes / (double)n;
        mean_s += transfers[i].duration_s / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double from_mean = transfers[i].bytes - mean_bytes;
        squares += from_mean * from_mean;
        products += from_mean * (transfers[i].duration_s - mean_s);
    }
    double slope = squares > 0 && products > 0 ? products / squares : 0;
    return (struct frs_transfer_law){.latency_s = mean_s - slope * mean_bytes, .s_per_byte = slope};
}

double frs_transfer_median_s(const struct frs_transfer_law *law, double bytes) {
    return law->latency_s + bytes * law->s_per_byte;
}

double frs_transfer_deviation(const struct frs_transfer_law *law, const struct frs_transfer *transfer) {
    double median_s = frs_transfer_median_s(law, transfer->bytes), share = law->latency_s / median_s;
    return log(transfer->duration_s / median_s) / sqrt(share * share + (1 - share) * (1 - share));
}

double frs_transfer_share(
    const struct frs_transfer_law *law, double sigma, const struct frs_transfer *transfer) {
    double deviation = frs_transfer_deviation(law, transfer);
    if (sigma == 0)
        return deviation >= 0;
    return 0.5 * erfc(-deviation / sigma * M_SQRT1_2);
}
