#include "algorithms/renyi.h"

#include <math.h>
#include <stddef.h>

/* ln(e^a + e^b), and ln(e^a − e^b) for a ≥ b. */
static double log_add(double a, double b) {
    double most = fmax(a, b), least = fmin(a, b);
    return least == -INFINITY ? most : most + log1p(exp(least - most));
}

static double log_subtract(double a, double b) {
    return b == -INFINITY ? a : a > b ? a + log1p(-exp(b - a)) : -INFINITY;
}

static double log_choose(double n, double k) {
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* ln erfc(x); beyond 25 by its asymptotic series, of which the first term left out is below 1e-9. */
static double log_erfc(double x) {
    if (x < 25)
        return log(erfc(x));
    double y = 1 / (2 * x * x);
    return -x * x - log(x * sqrt(M_PI)) + log1p(-y + 3 * y * y - 15 * y * y * y);
}

/* ---- releases of all clients ----------------------------------------------------------------- */

static double laplace_divergence(double scale, double order) {
    double up = log(order / (2 * order - 1)) + (order - 1) / scale;
    double down = log((order - 1) / (2 * order - 1)) - order / scale;
    return fmax(0, log_add(up, down)) / (order - 1);
}

static double full_divergence(const struct frs_renyi_release *release, double order) {
    return release->noise == FRS_RENYI_LAPLACE ? release->values * laplace_divergence(release->scale, order)
                                               : order / (2 * release->scale * release->scale);
}

/* ---- Bernoulli sampling ---------------------------------------------------------------------- */

/* ln Σ_k C(α,k) (1−q)^{α−k} q^k e^{(k²−k)/(2z²)} */
static double bernoulli_integer(double z, double q, double order) {
    double sum = -INFINITY;
    for (double k = 0; k <= order; k++)
        sum = log_add(
            sum, log_choose(order, k) + k * log(q) + (order - k) * log1p(-q) + (k * k - k) / (2 * z * z));
    return sum;
}

/* The same for α between integers. The real line is cut at z₀, where both densities have the same weight,
 * and each half is a binomial series of its own. ln|C(α,k)| and its sign are updated from k to k + 1. */
static double bernoulli_fractional(double z, double q, double order) {
    double z0 = z * z * log(1 / q - 1) + 0.5, positive = -INFINITY, negative = -INFINITY, log_c = 0;
    int sign = 1;
    for (double k = 0; k < 10000; k++) {
        double j = order - k;
        double left = log_c + k * log(q) + j * log1p(-q) + (k * k - k) / (2 * z * z) +
                      log_erfc((k - z0) / (M_SQRT2 * z)) - M_LN2;
        double right = log_c + j * log(q) + k * log1p(-q) + (j * j - j) / (2 * z * z) +
                       log_erfc((z0 - j) / (M_SQRT2 * z)) - M_LN2;
        double both = log_add(left, right), *sum = sign > 0 ? &positive : &negative;
        *sum = log_add(*sum, both);
        if (k > order && both < positive - 40)
            break;
        log_c += log(fabs(j)) - log(k + 1);
        sign = j < 0 ? -sign : sign;
    }
    return log_subtract(positive, negative);
}

static double bernoulli_divergence(const struct frs_renyi_release *release, double order) {
    double q = release->sampling.rate, z = release->scale;
    if (release->noise != FRS_RENYI_GAUSSIAN)
        return INFINITY;
    double moment =
        order == floor(order) ? bernoulli_integer(z, q, order) : bernoulli_fractional(z, q, order);
    return fmax(0, moment) / (order - 1);
}

/* ---- cohorts of fixed size ------------------------------------------------------------------- */

/* ln of the j-th term except γ^j C(α,j), j ≥ 2. Where two outcomes can differ at most by a factor
 * e^{ε(∞)}, (e^{ε(∞)} − 1)^j may replace 2. */
static double fixed_term(const struct frs_renyi_release *release, double j) {
    double rho = full_divergence(release, j), most = M_LN2;
    if (release->noise == FRS_RENYI_LAPLACE) {
        double pure = release->values / release->scale;
        most = fmin(most, j * (pure < 700 ? log(expm1(pure)) : pure));
    }
    double term = (j - 1) * rho + most;
    return j == 2 ? fmin(term, log(4) + (rho < 700 ? log(expm1(rho)) : rho)) : term;
}

static double fixed_divergence(const struct frs_renyi_release *release, double order) {
    double sum = 0; /* ln 1 */
    if (order != floor(order) || order < 2)
        return INFINITY;
    for (double j = 2; j <= order; j++)
        sum = log_add(sum, j * log(release->sampling.rate) + log_choose(order, j) + fixed_term(release, j));
    return fmin(sum / (order - 1), full_divergence(release, order));
}

/* ---- orders ---------------------------------------------------------------------------------- */

double frs_renyi_divergence(const struct frs_renyi_release *release, double order) {
    switch (release->sampling.rate < 1 ? (int)release->sampling.kind : FRS_NOT_SAMPLED) {
    case FRS_SAMPLED_FIXED:
        return fixed_divergence(release, order);
    case FRS_SAMPLED_BERNOULLI:
        return bernoulli_divergence(release, order);
    default:
        return full_divergence(release, order);
    }
}

static double epsilon_at(
    const struct frs_renyi_release *release, double releases, double delta, double order) {
    double rho = releases * frs_renyi_divergence(release, order);
    return fmax(0, rho + log1p(-1 / order) - (log(delta) + log(order)) / (order - 1));
}

/* Orders 1.01 … 10.9 by tenths, integers to 64, then by factors. */
double frs_renyi_epsilon(const struct frs_renyi_release *release, uint64_t releases, double delta) {
    double least = releases == 0 ? 0 : INFINITY;
    for (int tenths = 1; tenths < 100; tenths++)
        least = fmin(least, epsilon_at(release, (double)releases, delta, 1 + (double)tenths / 10));
    for (double order = 2; order <= 64; order++)
        least = fmin(least, epsilon_at(release, (double)releases, delta, order));
    for (double order = 80; order <= 1024; order = ceil(order * 1.25))
        least = fmin(least, epsilon_at(release, (double)releases, delta, order));
    return fmin(least, epsilon_at(release, (double)releases, delta, 1.01));
}
