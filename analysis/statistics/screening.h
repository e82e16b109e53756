/* Screening: designs that vary many factors at once, each at two levels.
 *
 * Source: Plackett and Burman 1946, "The design of optimum multifactorial experiments", folded over (Box
 * and Wilson 1951). A design of N runs has N − 1 columns with as many high levels as low ones. Any two
 * columns have each pair of levels N/4 times. So the main effects of up to N − 1 factors are found, each
 * from all runs, as if nothing else had been varied. The same runs are repeated with all levels reversed,
 * which keeps interactions of two factors out of the main effects. */
#ifndef FRS_ANALYSIS_STATISTICS_SCREENING_H
#define FRS_ANALYSIS_STATISTICS_SCREENING_H

#include <stdbool.h>
#include <stddef.h>

enum { FRS_SCREENING_FACTORS = 23, FRS_SCREENING_RUNS = 48 };

/* Runs of the smallest design for so many factors: 8, 16, 24, 32, 40 or 48. 1 ≤ n ≤ FRS_SCREENING_FACTORS. */
size_t frs_screening_runs(size_t n_factors);

/* Whether a factor is at its high level in a run. The last run has all factors high, and the middle one
 * all low. */
bool frs_screening_is_high(size_t n_runs, size_t run, size_t factor);

/* Mean of the answers at the high level minus mean of those at the low one. answers [n_runs]. */
double frs_screening_effect(const double *answers, size_t n_runs, size_t factor);

#endif
