/* Groups of clients: how well each is served, how well that is known, and whether the groups differ by more
 * than chance. */
#ifndef FRS_ANALYSIS_STATISTICS_PERMUTATION_TEST_H
#define FRS_ANALYSIS_STATISTICS_PERMUTATION_TEST_H

#include <stddef.h>
#include <stdint.h>

/* A client, which belongs to one group: the sum of a quality over its held-out interactions (hits, or squared
 * errors), and how many of them it has. */
struct frs_group_member {
    double sum, n;
    size_t group;
};

/* The chance that clients put into groups of these sizes at random, by nothing that has to do with their
 * quality, differ as much as these do or more: a permutation test (Fisher 1935, Pitman 1937) of Σ N_g (m_g −
 * m)², m_g being the mean over the N_g interactions of a group. It permutes whole clients, so that
 * interactions of one client stay together. Of 199 to 1999 permutations, the fewer the more clients there
 * are, as drawn from `seed`; the groups as they are count as one more, so that the test is exact. Members
 * with n = 0, or with a sum that is not finite, are left out. NaN: fewer than two groups have members. */
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

/* What chance has to stay below for `n_comparisons` groupings that stand together to be said to differ: 5 %
 * over all of them. */
double frs_group_level(size_t n_comparisons);

#endif
