/* Pareto: which of several alternatives no other one dominates. */
#ifndef FRS_ANALYSIS_STATISTICS_PARETO_H
#define FRS_ANALYSIS_STATISTICS_PARETO_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `a` is at least as good as `b` in each of n criteria, and better in one; smaller is better.
 * Equal ones do not dominate each other. With a NaN on either side the answer is false. */
bool frs_pareto_dominates(const double *a, const double *b, size_t n);

/* on_front[i]: whether none of the alternatives dominates alternative i. `values` is [n_alternatives ×
 * n_criteria], row-major; an alternative with a NaN is not on the front. */
void frs_pareto_front(const double *values, size_t n_alternatives, size_t n_criteria, bool *on_front);

#endif
