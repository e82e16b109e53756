/* By class: with mixed classes of clients (network.classes, devices.classes) the class of the client gives
 * the value. Therefore it is a mistake to read it as a distribution of its own. */
#include "platforms/distributions/distribution.h"
#include "sim/base/settings/params.h"

static bool read(
    const struct frs_values *values, struct frs_distribution *distribution, struct frs_errors *errors) {
    (void)distribution;
    frs_values_error(values, "distribution", errors,
        "\"by_class\" takes the value from a client's class, but no classes are given; allowed: another "
        "distribution, or classes");
    return false;
}

/* Never called: the distribution of the class answers. */
static double quantile(const struct frs_distribution *distribution, double u) {
    (void)distribution, (void)u;
    frs_panic(__FILE__, __LINE__, "by_class has no values of its own");
}

#define BY_CLASS(unit)                                                                                       \
    {                                                                                                        \
        .plugin = {.name = "by_class", .summary = "that of the client's class, where classes are mixed"},    \
        .dimension = unit, .read = read, .quantile = quantile,                                               \
    }

const struct frs_distribution_kind frs_distribution_by_class[] = {
    BY_CLASS(FRS_TIME), BY_CLASS(FRS_RATE), BY_CLASS(FRS_SPEED), BY_CLASS(FRS_BYTES)};
