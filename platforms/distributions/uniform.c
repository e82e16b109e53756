/* Values are evenly spread between two bounds. */
#include "platforms/distributions/distribution.h"
#include "sim/base/settings/params.h"

#include <math.h>

static bool read(
    const struct frs_values *values, struct frs_distribution *distribution, struct frs_errors *errors) {
    distribution->p[0] = frs_values_real(values, "low");
    distribution->p[1] = frs_values_real(values, "high");
    if (distribution->p[0] <= distribution->p[1])
        return true;
    frs_values_error(values, "low", errors, "is above high; allowed: low at most high");
    return false;
}

static double quantile(const struct frs_distribution *distribution, double u) {
    return distribution->p[0] + (distribution->p[1] - distribution->p[0]) * u;
}

#define BOUND(name, unit, smallest, what)                                                                    \
    { .key = name, .type = FRS_QUANTITY, .dimension = unit, .min = smallest, .max = INFINITY, .help = what }

#define UNIFORM(unit, smallest)                                                                              \
    {                                                                                                        \
        .plugin = {.name = "uniform",                                                                        \
            .summary = "evenly spread from low to high",                                                     \
            .params = (const struct frs_param[]){BOUND("low", unit, smallest, "smallest value"),             \
                BOUND("high", unit, smallest, "largest value"), {0}}},                                       \
        .dimension = unit, .least = smallest, .read = read, .quantile = quantile,                            \
    }

const struct frs_distribution_kind frs_distribution_uniform[] = {UNIFORM(FRS_TIME, 0), UNIFORM(FRS_RATE, 1),
    UNIFORM(FRS_SPEED, 1), UNIFORM(FRS_BYTES, 1), UNIFORM(FRS_BYTES, 0), UNIFORM(FRS_FLOP, 0)};
