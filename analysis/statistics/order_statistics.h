/* Order statistics of a sample without replacement: the expected size of the smallest, the second smallest
 * … the largest of k members of a known population. */
#ifndef FRS_ANALYSIS_STATISTICS_ORDER_STATISTICS_H
#define FRS_ANALYSIS_STATISTICS_ORDER_STATISTICS_H

#include <stddef.h>

/* E[X_(rank : k)] of k of `population` members, all samples being equally likely. The i-th smallest member
 * has this rank with the hypergeometric weight C(i−1, rank−1) C(N−i, k−rank) / C(N, k).
 *
 * values [n], ascending: those of the members. With 1 ≤ n ≤ population values, each represents as many
 * members as the others, or one more. 1 ≤ rank ≤ k ≤ population. */
double frs_expected_order(const double *values, size_t n, size_t population, size_t k, size_t rank);

#endif
