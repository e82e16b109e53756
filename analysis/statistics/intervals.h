/* Intervals: means of replicates and differences between variants, with 95 % intervals.
 *
 * Every interval is Student's (analysis/statistics/student_t.h): exact for normal values, and close enough
 * for replicates of a run (tests/analysis/test_coverage.c measures it). One value has no interval; what
 * does not exist is NaN. */
#ifndef FRS_ANALYSIS_STATISTICS_INTERVALS_H
#define FRS_ANALYSIS_STATISTICS_INTERVALS_H

#include <stddef.h>

#define FRS_CONFIDENCE 0.95

/* A mean, or a difference or ratio of means. half_width is NaN without an interval, mean too when n is 0. */
struct frs_estimate {
    size_t n;          /* values, pairs, or the values of the smaller side */
    double mean;       /* of the values, or of the differences */
    double sd;         /* of the values or of the paired differences, as they are; unpaired: NaN */
    double df;         /* degrees of freedom behind the interval */
    double half_width; /* the interval is mean ± half_width */
};

/* Values on a grid (hits of a whole number of users, times of evaluations) may be equal by chance: two or
 * three of them may have no spread at all, although they are not certain. A value rounded to steps of g
 * has at least the variance g²/12 of the rounding. Returns the mean of that over the values; a step of 0
 * means a value without a grid. */
double frs_stats_grid_variance(const double *steps, size_t n);

/* Returns the same mean, with the interval that applies when a value, or a paired difference, varies by at
 * least `variance`. */
struct frs_estimate frs_stats_at_least(struct frs_estimate estimate, double variance);

double frs_stats_mean(const double *values, size_t n);

/* With n − 1 in the denominator; exactly 0 when all values are equal, NaN for n < 2. */
double frs_stats_sd(const double *values, size_t n);

/* Mean of independent values. */
struct frs_estimate frs_stats_interval(const double *values, size_t n);

/* Mean of a[i] − b[i], where i is the same replicate on both sides. Mean or spread are 0 when they are
 * only the rounding of the subtractions. */
struct frs_estimate frs_stats_paired(const double *a, const double *b, size_t n);

/* mean(a) / mean(b), where i is the same replicate on both sides. The interval is that of the mean of a[i]
 * − ratio × b[i], in units of mean(b), as if the ratio were known (linearisation). Not for a mean(b) that
 * may be 0. A ratio that is not finite is NaN. */
struct frs_estimate frs_stats_ratio(const double *a, const double *b, size_t n);

/* mean(a) − mean(b) of unrelated values with unequal variances (Welch 1947); degrees of freedom after
 * Satterthwaite. Both sides need two values for an interval. A value of a side varies by at least the
 * side's `least` variance. Where both sides vary by less, their spread does not show how well it is known,
 * and the degrees of freedom are those of the smaller side. */
struct frs_estimate frs_stats_unpaired(
    const double *a, size_t n_a, double least_a, const double *b, size_t n_b, double least_b);

/* The chance that all n_a runs of side a, and only `reached` of the n_b runs of side b, are among those
 * that reach something, if both sides are alike (Fisher's exact test): C(n_b, reached) / C(n_a + n_b, n_a
 * + reached). With n runs each, of which all of b's fail, that is 1 / C(2n, n): 1/6 for two, 1/20 for
 * three. */
double frs_stats_chance_of_split(size_t n_a, size_t reached, size_t n_b);

#endif
