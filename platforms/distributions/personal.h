/* Personal: a probability of loss for each client, where some are lost more often than others.
 *
 * Who: a client's place among all follows a quantity (a slow link, say) by a Gaussian copula with a given
 * rank correlation (Spearman's ρ; the normal scores have 2 sin(πρ/6)). Equal quantities are put in order by
 * draws.
 *
 * How much: personal probabilities of mean m follow Beta(κm, κ(1 − m)), the usual distribution of chances
 * that differ (with it the losses among several participations of a client are beta-binomial). κ is its
 * concentration: two participations of one client are lost together as if correlated by 1/(1 + κ). κ = 0: a
 * share m is always lost, the others never; large: all alike. At m = 1/2 and κ = 2 every probability is
 * equally likely.
 *
 * Among n clients the one at place j gets the mean of the distribution over its n-th part from j/n to (j +
 * 1)/n. The n means add up to n·m, so that the population's mean is exactly m, however few they are. */
#ifndef FRS_PLATFORMS_DISTRIBUTIONS_PERSONAL_H
#define FRS_PLATFORMS_DISTRIBUTIONS_PERSONAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRS_CONCENTRATION_MOST 1e4

/* The clients in the order in which they are lost, the one that is lost least first, into `order` [n].
 * burden[client]: what they follow, more means lost more often at a positive `correlation` in [-1, 1]. False
 * when all burdens are the same. */
bool frs_personal_order(const double *burden, uint32_t n, double correlation, uint64_t seed, uint32_t *order);

/* The probabilities of the places 0 … n − 1, ascending, into `chances` [n]. 0 ≤ mean ≤ 1, 0 ≤ concentration.
 */
void frs_personal_chances(double mean, double concentration, size_t n, double *chances);

#endif
