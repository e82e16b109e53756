#include "algorithms/privacy/noise.h"
#include "sim/base/settings/params.h"

#include <math.h>

struct frs_privacy_aim frs_noise_aim(const struct frs_values *values, const struct frs_privacy_setup *setup) {
    double epsilon = frs_values_real(values, "epsilon");
    if (!(epsilon > 0)) /* participations has no effect, and is not read */
        return (struct frs_privacy_aim){0};
    uint64_t releases = (uint64_t)frs_values_int(values, "participations");
    return (struct frs_privacy_aim){epsilon, releases > 0 ? releases : setup->n_rounds};
}

double frs_noise_scale(const struct frs_values *values, const char *key, double given,
    const struct frs_privacy_setup *setup, struct frs_guarantee guarantee, struct frs_errors *errors) {
    double target = frs_values_real(values, "epsilon");
    if (!(target > 0)) {
        frs_values_idle(
            values, "participations", "has no effect without epsilon: the noise is given by %s", key);
        if (given > 0)
            return given;
        frs_values_error(values, key, errors, "is 0, and so is epsilon; allowed: either above 0");
        return NAN;
    }
    if (given > 0) {
        frs_values_error(
            values, "epsilon", errors, "the noise is given already by %s; allowed: either of them", key);
        return NAN;
    }
    if (setup->bound.norm == FRS_UNBOUNDED)
        return NAN; /* reported by who needs a bound */
    double scale =
        frs_privacy_scale(&guarantee, frs_noise_aim(values, setup).releases, setup->n_rounds, target);
    if (!isfinite(scale))
        frs_values_error(
            values, "epsilon", errors, "no noise up to 1e9 keeps %g at delta %g", target, guarantee.delta);
    return scale;
}

double frs_bound_l1(const struct frs_bound *bound, size_t n_values) {
    double n = (double)n_values;
    switch (bound->norm) {
    case FRS_BOUND_L1:
        return 2 * bound->size;
    case FRS_BOUND_L2:
        return 2 * bound->size * sqrt(n);
    case FRS_BOUND_VALUE:
        return 2 * bound->size * n;
    default:
        return 0;
    }
}

double frs_bound_l2(const struct frs_bound *bound, size_t n_values) {
    return bound->norm == FRS_UNBOUNDED     ? 0
           : bound->norm == FRS_BOUND_VALUE ? 2 * bound->size * sqrt((double)n_values)
                                            : 2 * bound->size;
}
