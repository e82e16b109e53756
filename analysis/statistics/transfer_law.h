/* Transfer law: what a link makes of a message, from transfers that were measured on it.
 *
 *   duration = latency · F + bytes / rate · G,   F and G log-normal, independent, each with median 1 and the same sigma
 *
 * which is what a message takes under network.model = "exact" with jitter and latency_jitter. Fitted are the medians: they
 * minimise the sum of |log(duration / (latency + bytes / rate))|, so that a transfer that took ten times as long as
 * others counts as one of them. For a given quotient of latency and time per byte the best time per byte is a median;
 * the quotient is searched. */
#ifndef FRS_ANALYSIS_STATISTICS_TRANSFER_LAW_H
#define FRS_ANALYSIS_STATISTICS_TRANSFER_LAW_H

#include <stdbool.h>
#include <stddef.h>

struct frs_transfer {
    double bytes, duration_s; /* > 0 */
};

struct frs_transfer_law {
    double latency_s;  /* ≥ 0 */
    double s_per_byte; /* > 0 */
    /* Whether latency and rate are told apart: of a transfer of median size, all splits of its time between the two that
     * fit about as well (a profile likelihood of 95 %, deviations being Laplacian) keep latency's share within a range
     * of half of it. Sizes that are all alike never do. */
    bool told_apart;
};

/* n ≥ 1. */
struct frs_transfer_law frs_transfer_fit(const struct frs_transfer *transfers, size_t n);

/* The same by least squares of the duration, which is what one would do by hand: the bar for the other. A slope that
 * is not positive is 0, and the mean the latency. */
struct frs_transfer_law frs_transfer_fit_least_squares(const struct frs_transfer *transfers, size_t n);

double frs_transfer_median_s(const struct frs_transfer_law *law, double bytes);

/* log(duration / median), over what a sigma of 1 would make its standard deviation: sqrt(w² + (1 − w)²), w being
 * latency's share of the median. */
double frs_transfer_deviation(const struct frs_transfer_law *law, const struct frs_transfer *transfer);

/* P(a transfer of these bytes takes at most this long), its logarithm being taken for normal. */
double frs_transfer_share(
    const struct frs_transfer_law *law, double sigma, const struct frs_transfer *transfer);

/* The sigma of a normal law whose middle 80 % are as wide as those of the values, `n_fitted` parameters having been fitted to
 * them; NaN unless n > n_fitted and n ≥ 2. Sorts the values. */
double frs_transfer_sigma(double *values, size_t n, size_t n_fitted);

/* The value with this share of the n ≥ 1 ascending values below it, straight between them. */
double frs_quantile_of_sorted(const double *ascending, size_t n, double share);

/* Sorts them. n ≥ 1. */
double frs_median_of(double *values, size_t n);

#endif
