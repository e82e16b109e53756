/* Personal: a probability of loss for each client, where some are lost more often than others.
 *
 * Which clients: a client's place among all follows a quantity (a slow link, say) by a Gaussian copula
 * with a given rank correlation (Spearman's ρ; the normal scores have 2 sin(πρ/6)). Equal quantities are
 * ordered by draws.
 *
 * How much: personal probabilities of mean m follow Beta(κm, κ(1 − m)), the usual distribution of chances
 * that differ; the losses among several participations of a client are then beta-binomial. κ is its
 * concentration: two participations of one client are lost together as if correlated by 1/(1 + κ). With κ
 * = 0 a share m is always lost and the others never; with a large κ all clients are alike. At m = 1/2 and
 * κ = 2 every probability is equally likely.
 *
 * Among n clients the one at place j gets the mean of the distribution over its n-th part from j/n to (j +
 * 1)/n. The n means sum to n·m, so the population's mean is exactly m, however few clients there are. */
#ifndef FRS_PLATFORMS_DISTRIBUTIONS_PERSONAL_H
#define FRS_PLATFORMS_DISTRIBUTIONS_PERSONAL_H

#include "sim/base/numbers/purposes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRS_CONCENTRATION_MOST 1e4

/* The clients in the order in which they are lost, the one that is lost least first, into `order` [n].
 * burden[client]: what they follow, more means lost more often at a positive `correlation` in [-1, 1]. False
 * when all burdens are the same. `purpose` is that of the draws. */
bool frs_personal_order(const double *burden, uint32_t n, double correlation, uint64_t seed,
    enum frs_purpose purpose, uint32_t *order);

/* The probabilities of the places 0 … n − 1, ascending, into `chances` [n]. 0 ≤ mean ≤ 1, 0 ≤ concentration.
 */
void frs_personal_chances(double mean, double concentration, size_t n, double *chances);

/* The mean probability of each of so many groups of places, n_groups ≤ n: group g has the places from
 * frs_personal_first(n, n_groups, g) up to that of the next group. */
void frs_personal_groups(double mean, double concentration, size_t n, size_t n_groups, double *chances);
size_t frs_personal_first(size_t n, size_t n_groups, size_t group);
size_t frs_personal_group(size_t n, size_t n_groups, size_t place);

#endif
