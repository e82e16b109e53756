/* Quantiles: a client's place in the population, as a number in (0, 1), and how two places are correlated.
 *
 * A client that is drawn at quantile 0.9 of the downlinks has a faster one than 90 % of the clients, whatever
 * distribution the downlinks follow. Correlation is therefore between quantiles (a Gaussian copula) and
 * leaves every distribution as it is. */
#ifndef FRS_PLATFORMS_DISTRIBUTIONS_QUANTILE_H
#define FRS_PLATFORMS_DISTRIBUTIONS_QUANTILE_H

#include "sim/base/numbers/purposes.h"

#include <stdint.h>

/* The smallest quantile there is; the largest is 1 minus it. */
#define FRS_QUANTILE_LEAST 0x1p-53

/* The client's quantile from its own stream, uniform on the open interval. */
double frs_quantile_draw(uint64_t seed, uint32_t client, enum frs_purpose purpose);

/* The same for one transfer of a round. */
double frs_quantile_draw_in_round(
    uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt, enum frs_purpose purpose);

/* The standard normal value with this share of the distribution below it, to about 1e-15.
 * Source: Wichura 1988, algorithm AS 241 (PPND16). 0 < u < 1. */
double frs_normal_quantile(double u);

/* The share of the standard normal distribution below z. */
double frs_normal_share(double z);

/* exp(sigma z − sigma²/2), z being the normal value at u: log-normal with mean 1. */
double frs_lognormal_factor(double sigma, double u);

/* Returns `own`, made to depend on `other`: their normal scores have the correlation `correlation` in [-1,
 * 1], so that Spearman's rank correlation is 6/pi asin(correlation/2). The result is uniform if both are,
 * and independent of each other. It is exactly `own` at 0, `other` at 1, and 1 - `other` at -1. */
double frs_quantile_correlate(double own, double other, double correlation);

#endif
