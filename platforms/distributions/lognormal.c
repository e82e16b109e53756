/* Log-normal: ln(value) ~ N(ln(median), sigma²), the usual shape of measured bandwidths. */
#include "platforms/distributions/distribution.h"
#include "sim/base/settings/params.h"

#include <math.h>

static bool read(
    const struct frs_values *values, struct frs_distribution *distribution, struct frs_errors *errors) {
    (void)errors;
    distribution->p[0] = frs_values_real(values, "median");
    distribution->p[1] = frs_values_real(values, "sigma");
    return true;
}

static double quantile(const struct frs_distribution *distribution, double u) {
    return distribution->p[0] * exp(distribution->p[1] * frs_normal_quantile(u));
}

#define LOGNORMAL(unit, smallest)                                                                            \
    {                                                                                                        \
        .plugin = {.name = "lognormal",                                                                      \
            .summary = "log-normal around a median",                                                         \
            .params = (const struct frs_param[]){{.key = "median",                                           \
                                                     .type = FRS_QUANTITY,                                   \
                                                     .dimension = unit,                                      \
                                                     .min = smallest,                                        \
                                                     .max = INFINITY,                                        \
                                                     .help = "half of the clients are below it"},            \
                {.key = "sigma",                                                                             \
                    .type = FRS_REAL,                                                                        \
                    .initial = "0.8",                                                                        \
                    .min = 0,                                                                                \
                    .max = 5,                                                                                \
                    .help = "standard deviation of the natural logarithm"},                                  \
                {0}}},                                                                                       \
        .dimension = unit, .least = smallest, .read = read, .quantile = quantile,                            \
    }

const struct frs_distribution_kind frs_distribution_lognormal[] = {LOGNORMAL(FRS_TIME, 1e-9),
    LOGNORMAL(FRS_RATE, 1), LOGNORMAL(FRS_SPEED, 1), LOGNORMAL(FRS_BYTES, 1), LOGNORMAL(FRS_BYTES, 1),
    LOGNORMAL(FRS_FLOP, 1)};
