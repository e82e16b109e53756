/* Every client has the same value. */
#include "platforms/distributions/distribution.h"
#include "sim/base/settings/params.h"

#include <math.h>

static bool read(
    const struct frs_values *values, struct frs_distribution *distribution, struct frs_errors *errors) {
    (void)errors;
    distribution->p[0] = frs_values_real(values, "value");
    return true;
}

static double quantile(const struct frs_distribution *distribution, double u) {
    (void)u;
    return distribution->p[0];
}

/* Memory and work alone have a default value: enough, and none. */
#define CONSTANT(unit, smallest, ...)                                                                        \
    {                                                                                                        \
        .plugin = {.name = "constant",                                                                       \
            .summary = "the same for every client",                                                          \
            .params = (const struct frs_param[]){{.key = "value",                                            \
                                                     .type = FRS_QUANTITY,                                   \
                                                     .dimension = unit,                                      \
                                                     .min = smallest,                                        \
                                                     .max = INFINITY,                                        \
                                                     .help = "the value of every client",                    \
                                                     __VA_ARGS__},                                           \
                {0}}},                                                                                       \
        .dimension = unit, .least = smallest, .read = read, .quantile = quantile, .is_constant = true,       \
    }

const struct frs_distribution_kind frs_distribution_constant[] = {CONSTANT(FRS_TIME, 0, .initial = NULL),
    CONSTANT(FRS_RATE, 1, .initial = NULL), CONSTANT(FRS_SPEED, 1, .initial = NULL),
    CONSTANT(FRS_BYTES, 1, .initial = "unlimited", .unlimited = true),
    CONSTANT(FRS_BYTES, 0, .initial = NULL, .by_class = true),
    CONSTANT(FRS_FLOP, 0, .initial = "0 flop", .by_class = true)};
