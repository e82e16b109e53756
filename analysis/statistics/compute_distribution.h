/* Compute distribution: how long a device takes for counted operations and samples, from times that were
 * measured on it.
 *
 *   time = operations / rate + samples · time of a sample
 *
 * Relative errors are fitted by least squares; neither part is negative. */
#ifndef FRS_ANALYSIS_STATISTICS_COMPUTE_DISTRIBUTION_H
#define FRS_ANALYSIS_STATISTICS_COMPUTE_DISTRIBUTION_H

#include <stddef.h>

struct frs_compute_time {
    double flop, samples, seconds; /* > 0 */
};

struct frs_compute_distribution {
    double flop_per_s;   /* > 0, finite */
    double s_per_sample; /* ≥ 0 */
};

/* n ≥ 1. A single time is all operations. */
struct frs_compute_distribution frs_compute_fit(const struct frs_compute_time *times, size_t n);

double frs_compute_distribution_s(
    const struct frs_compute_distribution *distribution, const struct frs_compute_time *time);

#endif
