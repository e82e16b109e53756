/* Groups of clients: how well each is served, how well that is known, and whether the groups differ by more
 * than chance. */
#ifndef FRS_ANALYSIS_STATISTICS_PERMUTATION_TEST_H
#define FRS_ANALYSIS_STATISTICS_PERMUTATION_TEST_H

#include <stddef.h>
#include <stdint.h>

/* A client, which belongs to one group: the sum of a quality over its held-out interactions (hits, or
 * squared errors), and their number. */
struct frs_group_member {
    double sum, n;
    size_t group;
};

/* The chance that groups of these sizes, made of random clients independently of their quality, differ as
 * much as these or more: a permutation test (Fisher 1935, Pitman 1937) of Σ N_g (m_g − m)², where m_g is
 * the mean over the N_g interactions of a group. It permutes whole clients, so that interactions of one
 * client stay together. It makes 199 to 1999 permutations, drawn from `seed`; the more clients there are,
 * the fewer. The actual groups count as one more, so that the test is exact. Members with n = 0, or with a
 * sum that is not finite, are left out. NaN: fewer than two groups have members. */
double frs_group_chance(const struct frs_group_member *members, size_t n, size_t n_groups, uint64_t seed);

struct frs_group_interval {
    double low, high; /* 95 %; NaN: there is none */
};

/* Wilson's interval (1927) of a share of hits among n ≥ 1, which has a width also where all or none hit. */
struct frs_group_interval frs_group_share_interval(double share, double n);

/* Student's interval of the mean over the interactions of one group's members, each client with all of its
 * own; one degree of freedom less than there are clients. NaN with fewer than two clients. */
struct frs_group_interval frs_group_mean_interval(
    const struct frs_group_member *members, size_t n, size_t group);

/* The level for `n_comparisons` groupings that stand together: their chance has to be below it for the
 * page to say that they differ. The error is 5 % over all of them. */
double frs_group_level(size_t n_comparisons);

#endif
