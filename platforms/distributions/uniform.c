/* Evenly spread between two bounds. */
#include "platforms/distribution.h"

#include <math.h>

static bool read(
    const struct frs_values *values, double p[FRS_DISTRIBUTION_SETTINGS], struct frs_errors *errors) {
    p[0] = frs_values_real(values, "low");
    p[1] = frs_values_real(values, "high");
    if (p[0] <= p[1])
        return true;
    frs_values_error(values, "low", errors, "is above high; allowed: low at most high");
    return false;
}

static double draw(const double p[FRS_DISTRIBUTION_SETTINGS], struct frs_rng *rng) {
    return p[0] + (p[1] - p[0]) * frs_rng_unit(rng);
}

static double median(const double p[FRS_DISTRIBUTION_SETTINGS]) {
    return (p[0] + p[1]) / 2;
}

#define BOUND(name, unit, least, what)                                                                       \
    { .key = name, .type = FRS_QUANTITY, .dimension = unit, .min = least, .max = INFINITY, .help = what }

#define UNIFORM(unit, least)                                                                                 \
    {                                                                                                        \
        .plugin = {.name = "uniform",                                                                        \
            .summary = "evenly spread from low to high",                                                     \
            .params = (const struct frs_param[]){BOUND("low", unit, least, "smallest value"),                \
                BOUND("high", unit, least, "largest value"), {0}}},                                          \
        .read = read, .draw = draw, .median = median,                                                        \
    }

const struct frs_distribution frs_distribution_uniform[] = {
    UNIFORM(FRS_TIME, 0), UNIFORM(FRS_RATE, 1), UNIFORM(FRS_SPEED, 1)};
