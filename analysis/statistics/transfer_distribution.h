/* Transfer distribution: how long a link takes for a message, from transfers that were measured on it.
 *
 *   duration = latency · F + bytes / rate · G,   F and G log-normal, independent, each with median 1 and a
 *   sigma of its own
 *
 * A message has this duration under network.model = "exact" with latency_jitter (F) and jitter (G). The
 * medians are fitted: they minimise the sum of |log(duration / (latency + bytes / rate))|, so that a
 * transfer that took ten times as long as others counts as one of them. For a given quotient of latency
 * and time per byte the best time per byte is a median; the quotient is searched. */
#ifndef FRS_ANALYSIS_STATISTICS_TRANSFER_DISTRIBUTION_H
#define FRS_ANALYSIS_STATISTICS_TRANSFER_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

struct frs_transfer {
    double bytes, duration_s; /* > 0 */
};

struct frs_transfer_distribution {
    double latency_s;  /* ≥ 0 */
    double s_per_byte; /* > 0 */
    /* Whether latency and rate can be distinguished. Consider all splits of the time of a transfer of
     * median size between the two that fit about as well (a profile likelihood of 95 %, deviations being
     * Laplacian): they keep latency's share within a range of half of it. Sizes that are all alike never
     * allow this. */
    bool told_apart;
};

/* n ≥ 1. */
struct frs_transfer_distribution frs_transfer_fit(const struct frs_transfer *transfers, size_t n);

/* The same by least squares of the duration, which is the simple method, as a reference for the other. A
 * slope that is not positive counts as 0, and the latency is then the mean. */
struct frs_transfer_distribution frs_transfer_fit_least_squares(
    const struct frs_transfer *transfers, size_t n);

double frs_transfer_median_s(const struct frs_transfer_distribution *distribution, double bytes);

/* How far single transfers are from their distribution. */
struct frs_transfer_jitters {
    double latency, rate; /* sigmas of F and of G; NaN: too few transfers to tell */
    bool told_apart;      /* false: both are what one sigma for both would be */
};

/* A transfer's deviation from the distribution of its client. */
struct frs_transfer_deviation {
    double share; /* w, latency's share of the median */
    double log;   /* log(duration / median) */
};

struct frs_transfer_deviation frs_transfer_deviation(
    const struct frs_transfer_distribution *distribution, const struct frs_transfer *transfer);

/* The sigmas under which deviations from all shares are equally wide: sqrt(w² latency² + (1 − w)² rate²).
 * Their quotient has the largest likelihood if deviations are Laplacian, and the scale is that of the
 * middle 80 %. They can be distinguished if the quotients that fit about as well (95 %) stay within a
 * factor of FRS_JITTERS_WIDEST; not if shares are alike. `n_fitted` parameters were fitted to the
 * distributions. */
#define FRS_JITTERS_WIDEST 4.0
struct frs_transfer_jitters frs_transfer_jitters(
    const struct frs_transfer_deviation *deviations, size_t n, size_t n_fitted);

/* P(a transfer of these bytes takes at most this long), its logarithm being taken for normal. */
double frs_transfer_share(const struct frs_transfer_distribution *distribution,
    const struct frs_transfer_jitters *jitters, const struct frs_transfer *transfer);

/* The sigma of a normal distribution whose middle 80 % are as wide as those of the values, to which
 * `n_fitted` parameters were fitted. NaN unless n > n_fitted and n ≥ 2. Sorts the values. */
double frs_transfer_sigma(double *values, size_t n, size_t n_fitted);

/* The value with this share of the n ≥ 1 ascending values below it, straight between them. */
double frs_quantile_of_sorted(const double *ascending, size_t n, double share);

/* Sorts them. n ≥ 1. */
double frs_median_of(double *values, size_t n);

#endif
