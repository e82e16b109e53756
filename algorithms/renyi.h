/* Rényi differential privacy: a release whose Rényi divergence of order α is at most ρ(α) for any two sets of
 * data that differ in one client (Mironov 2017). Releases add up order by order, and ε = min over α of ρ(α) +
 * ln((α − 1)/α) − (ln δ + ln α)/(α − 1) (Canonne, Kamath & Steinke 2020, proposition 12; Balle et al. 2020,
 * theorem 21).
 *
 *   Gaussian, z: ρ(α) = α/(2z²) (Mironov 2017, corollary 3)
 *   Laplace, b for a shift of 1, n values: n/(α−1) · ln(α/(2α−1) e^{(α−1)/b} + (α−1)/(2α−1) e^{−α/b})
 *   (Mironov 2017, corollary 2)
 *   Gaussian by Bernoulli sampling at rate q: Mironov, Talwar & Zhang 2019, section 3.3, all α > 1
 *   either, in cohorts of a fixed size without replacement: Wang, Balle & Kasiviswanathan 2019, theorem 9, α
 * = 2, 3, … */
#ifndef FRS_ALGORITHMS_RENYI_H
#define FRS_ALGORITHMS_RENYI_H

#include "algorithms/client_sampling.h"

#include <stdint.h>

struct frs_renyi_release {
    enum { FRS_RENYI_GAUSSIAN, FRS_RENYI_LAPLACE } noise;
    double scale;                 /* of the noise, where what it has to hide is 1 */
    double values;                /* Laplace: n; Gaussian: 1 */
    struct frs_sampling sampling; /* Bernoulli: Gaussian noise alone */
};

/* ρ(α) of one release, α > 1; INFINITY where no bound is known (fixed cohorts at an order that is no
 * integer). */
double frs_renyi_divergence(const struct frs_renyi_release *release, double order);

/* ε of so many releases at δ, over orders from 1.01 to about 1,000; INFINITY: beyond every number. 0 < δ < 1.
 */
double frs_renyi_epsilon(const struct frs_renyi_release *release, uint64_t releases, double delta);

#endif
