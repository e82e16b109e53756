/* Log-normal: ln(value) ~ N(ln(median), sigma²), the usual shape of measured bandwidths. */
#include "platforms/distribution.h"

#include <math.h>

static bool read(
    const struct frs_values *values, double p[FRS_DISTRIBUTION_SETTINGS], struct frs_errors *errors) {
    (void)errors;
    p[0] = frs_values_real(values, "median");
    p[1] = frs_values_real(values, "sigma");
    return true;
}

static double draw(const double p[FRS_DISTRIBUTION_SETTINGS], struct frs_rng *rng) {
    return p[0] * exp(p[1] * frs_rng_normal(rng));
}

static double median(const double p[FRS_DISTRIBUTION_SETTINGS]) {
    return p[0];
}

#define LOGNORMAL(unit, least)                                                                               \
    {                                                                                                        \
        .plugin = {.name = "lognormal",                                                                      \
            .summary = "log-normal around a median",                                                         \
            .params = (const struct frs_param[]){{.key = "median",                                           \
                                                     .type = FRS_QUANTITY,                                   \
                                                     .dimension = unit,                                      \
                                                     .min = least,                                           \
                                                     .max = INFINITY,                                        \
                                                     .help = "half of the clients are below it"},            \
                {.key = "sigma",                                                                             \
                    .type = FRS_REAL,                                                                        \
                    .initial = "0.8",                                                                        \
                    .min = 0,                                                                                \
                    .max = 5,                                                                                \
                    .help = "standard deviation of the natural logarithm"},                                  \
                {0}}},                                                                                       \
        .read = read, .draw = draw, .median = median,                                                        \
    }

const struct frs_distribution frs_distribution_lognormal[] = {
    LOGNORMAL(FRS_TIME, 1e-9), LOGNORMAL(FRS_RATE, 1), LOGNORMAL(FRS_SPEED, 1)};
