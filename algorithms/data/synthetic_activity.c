/* How many interactions each user of a synthetic data set has: a logistic of a normal between the least
 * and the most, whose location makes the sum equal to the wanted number. */
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "algorithms/data/synthetic.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

double frs_synthetic_normal_quantile(double p) {
    static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
        1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00};
    static const double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
        6.680131188771972e+01, -1.328068155288572e+01};
    static const double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
        -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00};
    static const double d[] = {
        7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
    if (p > 0.5)
        return -frs_synthetic_normal_quantile(1 - p);
    if (p < 0.02425) {
        double q = sqrt(-2 * log(p));
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    }
    double q = p - 0.5, r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
}

static double activity(const struct frs_synthetic_distribution *distribution, double location, double z) {
    double range = (double)(distribution->max_activity - distribution->min_activity);
    return (double)distribution->min_activity +
           range / (1 + exp(-(location + distribution->activity_spread * z)));
}

#define LOWEST_LOCATION (-60.0)
#define HIGHEST_LOCATION 60.0

static double sum_activities(
    const struct frs_synthetic_distribution *distribution, const double *z, double location) {
    double sum = 0;
    for (uint32_t user = 0; user < distribution->users; user++)
        sum += activity(distribution, location, z[user]);
    return sum;
}

/* Sums of millions of users err by less than 1e-10 of themselves, and a location by less than this, */
#define SURE 1e-7
#define LEAST_SLOPE 1e-2 /* where the sum changes by so much of itself. */

/* The location by Newton's method; NAN where that leads nowhere, or is not sure. */
static double predict_location(const struct frs_synthetic_distribution *distribution, const double *z) {
    double range = (double)(distribution->max_activity - distribution->min_activity), location = 0;
    for (int step = 0; step < 30 && location > LOWEST_LOCATION && location < HIGHEST_LOCATION; step++) {
        double sum = 0, slope = 0;
        for (uint32_t user = 0; user < distribution->users; user++) {
            double share = 1 / (1 + exp(-(location + distribution->activity_spread * z[user])));
            sum += (double)distribution->min_activity + range * share;
            slope += range * share * (1 - share);
        }
        double change = ((double)distribution->interactions - sum) / slope;
        location += fmax(fmin(change, 1), -1);
        if (fabs(change) < 1e-6) /* it doubles the digits */
            return slope > LEAST_SLOPE * sum ? location : NAN;
    }
    return NAN;
}

/* Returns μ for which the activities sum to the wanted number of interactions. Parts of the search whose
 * answer is already known need no sum: the data must not depend on how μ was found. */
static double solve_location(const struct frs_synthetic_distribution *distribution, const double *z) {
    double low = LOWEST_LOCATION, high = HIGHEST_LOCATION, predicted = predict_location(distribution, z);
    for (int step = 0; step < 50; step++) {
        double middle = (low + high) / 2;
        bool is_below = fabs(middle - predicted) > SURE
                            ? middle < predicted
                            : sum_activities(distribution, z, middle) < (double)distribution->interactions;
        if (is_below)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Rounds to whole numbers within the limits that sum exactly: the remainder goes, one by one, to users who
 * have room. */
static void round_activities(
    const struct frs_synthetic_distribution *distribution, const double *z, size_t *start) {
    double location = solve_location(distribution, z), owed = 0;
    size_t total = 0;
    for (uint32_t user = 0; user < distribution->users; user++) {
        double wanted = activity(distribution, location, z[user]) + owed, whole = floor(wanted + 0.5);
        whole = fmin(fmax(whole, (double)distribution->min_activity), (double)distribution->max_activity);
        owed = wanted - whole;
        start[user + 1] = (size_t)whole;
        total += (size_t)whole;
    }
    for (uint32_t user = 0; total != distribution->interactions; user = (user + 1) % distribution->users) {
        size_t *n = &start[user + 1];
        if (total < distribution->interactions && *n < distribution->max_activity)
            ++*n, total++;
        else if (total > distribution->interactions && *n > distribution->min_activity)
            --*n, total--;
    }
    for (uint32_t user = 0; user < distribution->users; user++)
        start[user + 1] += start[user];
}

/* One z per equal slice of the distribution, in random order: quantiles do not depend on luck. */
size_t *frs_synthetic_starts(const struct frs_synthetic_distribution *distribution, uint64_t seed) {
    struct frs_rng rng =
        frs_rng_stream(seed, FRS_RNG_SERVER, FRS_SYNTHETIC_STREAM_ACTIVITY, 0, FRS_RNG_SYNTHETIC);
    uint32_t *slices = frs_alloc(distribution->users, sizeof *slices);
    double *z = frs_alloc(distribution->users, sizeof *z);
    for (uint32_t user = 0; user < distribution->users; user++)
        slices[user] = user;
    frs_rng_shuffle(&rng, slices, distribution->users);
    for (uint32_t user = 0; user < distribution->users; user++)
        z[user] = frs_synthetic_normal_quantile((slices[user] + 0.5) / distribution->users);
    size_t *start = frs_alloc((size_t)distribution->users + 1, sizeof *start);
    round_activities(distribution, z, start);
    free(slices);
    free(z);
    return start;
}
