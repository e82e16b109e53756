/* Two groups: a share of the clients has one value, and the rest another. */
#include "platforms/distributions/distribution.h"
#include "sim/base/settings/params.h"
#include "sim/plugins/table.h"

static bool read(
    const struct frs_values *values, struct frs_distribution *distribution, struct frs_errors *errors) {
    distribution->p[0] = frs_values_real(values, "low");
    distribution->p[1] = frs_values_real(values, "high");
    distribution->p[2] = frs_values_real(values, "share");
    if (distribution->p[0] <= distribution->p[1])
        return true;
    frs_values_error(values, "low", errors, "is above high; allowed: low at most high");
    return false;
}

static double quantile(const struct frs_distribution *distribution, double u) {
    return u < distribution->p[2] ? distribution->p[0] : distribution->p[1];
}

#define VALUE(key_, unit, least_, help_)                                                                     \
    { .key = key_, .type = FRS_QUANTITY, .dimension = unit, .min = least_, .max = 1e12, .help = help_ }

#define TWO_GROUPS(unit, least_)                                                                             \
    {                                                                                                        \
        .plugin = {.name = "two_groups",                                                                     \
            .summary = "one value for a share of the clients, and another for the rest",                     \
            .params = (const struct frs_param[]){VALUE("low", unit, least_, "value of the first group"),     \
                VALUE("high", unit, least_, "value of the second group"),                                    \
                {.key = "share",                                                                             \
                    .type = FRS_REAL,                                                                        \
                    .initial = "0.5",                                                                        \
                    .min = 0,                                                                                \
                    .max = 1,                                                                                \
                    .help = "share of the clients in the first group"},                                      \
                {0}}},                                                                                       \
        .dimension = unit, .least = least_, .read = read, .quantile = quantile,                              \
    }

/* Quantities have dimensions: a distribution is an entry for each one that it is of. */
static const struct frs_distribution_kind rates = TWO_GROUPS(FRS_RATE, 1), times = TWO_GROUPS(FRS_TIME, 0),
                                          speeds = TWO_GROUPS(FRS_SPEED, 1);

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .distributions = (const struct frs_distribution_kind *const[]){&rates, &times, &speeds, NULL},
};
