#include "platforms/distributions/quantile.h"
#include "sim/base/numbers/rng.h"

#include <math.h>

/* 52 bits and a half: never 0 and never 1, and exact in a double. */
static double open_unit(struct frs_rng *rng) {
    return ((double)(frs_rng_u64(rng) >> 12) + 0.5) * 0x1p-52;
}

double frs_quantile_draw_in_round(
    uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt, enum frs_purpose purpose) {
    struct frs_rng rng = frs_rng_stream(seed, client, round, attempt, purpose);
    return open_unit(&rng);
}

double frs_quantile_draw(uint64_t seed, uint32_t client, enum frs_purpose purpose) {
    return frs_quantile_draw_in_round(seed, client, 0, 0, purpose);
}

/* Ratio of two polynomials of degree 7, coefficients from the constant term up. */
static double ratio(const double numerator[8], const double denominator[8], double x) {
    double above = numerator[7], below = denominator[7];
    for (int i = 6; i >= 0; i--) {
        above = above * x + numerator[i];
        below = below * x + denominator[i];
    }
    return above / below;
}

/* The coefficients of AS 241: the middle, the shoulders and the tails. */
static const double middle[2][8] = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
        4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
    {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3, 2.1213794301586595867e4,
        3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3}};
static const double shoulder[2][8] = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
        1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2,
        7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
        1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
        1.05075007164441684324e-9}};
static const double tail[2][8] = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
        2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5,
        2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
        7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
        2.04426310338993978564e-15}};

double frs_normal_quantile(double u) {
    double offset = u - 0.5;
    if (fabs(offset) <= 0.425)
        return offset * ratio(middle[0], middle[1], 0.180625 - offset * offset);
    double r = sqrt(-log(offset < 0 ? u : 1 - u));
    double z = r <= 5 ? ratio(shoulder[0], shoulder[1], r - 1.6) : ratio(tail[0], tail[1], r - 5);
    return offset < 0 ? -z : z;
}

double frs_normal_share(double z) {
    return 0.5 * erfc(-z * M_SQRT1_2);
}

double frs_lognormal_factor(double sigma, double u) {
    return exp(sigma * frs_normal_quantile(u) - sigma * sigma / 2);
}

double frs_quantile_correlate(double own, double other, double correlation) {
    /* The ends are exact, so that "no correlation" changes no value of an existing scenario. */
    if (correlation == 0)
        return own;
    if (fabs(correlation) == 1)
        return correlation > 0 ? other : 1 - other;
    double z = correlation * frs_normal_quantile(other) +
               sqrt(1 - correlation * correlation) * frs_normal_quantile(own);
    return fmin(fmax(frs_normal_share(z), FRS_QUANTILE_LEAST), 1 - FRS_QUANTILE_LEAST);
}
