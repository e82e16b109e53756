/* Every client has the same value. */
#include "platforms/distribution.h"

#include <math.h>

static bool read(
    const struct frs_values *values, double p[FRS_DISTRIBUTION_SETTINGS], struct frs_errors *errors) {
    (void)errors;
    p[0] = frs_values_real(values, "value");
    return true;
}

static double draw(const double p[FRS_DISTRIBUTION_SETTINGS], struct frs_rng *rng) {
    (void)rng;
    return p[0];
}

static double median(const double p[FRS_DISTRIBUTION_SETTINGS]) {
    return p[0];
}

#define CONSTANT(unit, least)                                                                                \
    {                                                                                                        \
        .plugin = {.name = "constant",                                                                       \
            .summary = "the same for every client",                                                          \
            .params = (const struct frs_param[]){{.key = "value",                                            \
                                                     .type = FRS_QUANTITY,                                   \
                                                     .dimension = unit,                                      \
                                                     .min = least,                                           \
                                                     .max = INFINITY,                                        \
                                                     .help = "the value of every client"},                   \
                {0}}},                                                                                       \
        .read = read, .draw = draw, .median = median,                                                        \
    }

const struct frs_distribution frs_distribution_constant[] = {
    CONSTANT(FRS_TIME, 0), CONSTANT(FRS_RATE, 1), CONSTANT(FRS_SPEED, 1)};
