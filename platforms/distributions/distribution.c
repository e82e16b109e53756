#include "platforms/distributions/distribution.h"

#include <math.h>

#define DISTRIBUTION(name) extern const struct frs_distribution_kind frs_distribution_##name[];
#include "platforms/distributions/distributions.def"
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[0].plugin,
const struct frs_plugin *frs_time_distributions[FRS_REGISTRY_ROOM] = {
#include "platforms/distributions/distributions.def"
    NULL,
};
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[1].plugin,
const struct frs_plugin *frs_rate_distributions[FRS_REGISTRY_ROOM] = {
#include "platforms/distributions/distributions.def"
    NULL,
};
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[2].plugin,
const struct frs_plugin *frs_speed_distributions[FRS_REGISTRY_ROOM] = {
#include "platforms/distributions/distributions.def"
    NULL,
};
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[3].plugin,
const struct frs_plugin *frs_bytes_distributions[FRS_REGISTRY_ROOM] = {
#include "platforms/distributions/distributions.def"
    NULL,
};

#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[4].plugin,
#define DISTRIBUTION_OF_CLASSES(name)
const struct frs_plugin *frs_message_distributions[FRS_REGISTRY_ROOM] = {
#include "platforms/distributions/distributions.def"
    NULL,
};
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[5].plugin,
#define DISTRIBUTION_OF_CLASSES(name)
const struct frs_plugin *frs_work_distributions[FRS_REGISTRY_ROOM] = {
#include "platforms/distributions/distributions.def"
    NULL,
};

bool frs_distribution_read(const struct frs_plugin *plugin, const struct frs_values *values,
    struct frs_distribution *distribution, struct frs_errors *errors) {
    /* The plug-in is the first member of its distribution. */
    *distribution =
        (struct frs_distribution){.distribution = (const struct frs_distribution_kind *)(const void *)plugin};
    if (distribution->distribution->read(values, distribution, errors))
        return true;
    frs_distribution_fini(distribution);
    return false;
}

void frs_distribution_fini(struct frs_distribution *distribution) {
    frs_cdf_fini(&distribution->cdf);
    *distribution = (struct frs_distribution){0};
}

/* The tails of a distribution end where values stop to make sense. */
double frs_distribution_quantile(const struct frs_distribution *distribution, double u) {
    double value = distribution->distribution->quantile(distribution, u);
    if (isinf(value)) /* "unlimited" */
        return value;
    return fmin(fmax(value, distribution->distribution->least),
        frs_units_most(distribution->distribution->dimension));
}

double frs_distribution_draw(
    const struct frs_distribution *distribution, uint64_t seed, uint32_t client, enum frs_purpose purpose) {
    return frs_distribution_quantile(distribution,
        distribution->distribution->is_constant ? 0.5 : frs_quantile_draw(seed, client, purpose));
}

double frs_distribution_median(const struct frs_distribution *distribution) {
    return frs_distribution_quantile(distribution, 0.5);
}

bool frs_distribution_varies(const struct frs_distribution *distribution) {
    return frs_distribution_quantile(distribution, FRS_QUANTILE_LEAST) <
           frs_distribution_quantile(distribution, 1 - FRS_QUANTILE_LEAST);
}

/* The share of clients at or below `value`: where the quantile function passes it. */
static double share_below(const struct frs_distribution *distribution, double value) {
    double low = 0, high = 1;
    for (int i = 0; i < 52; i++) {
        double u = (low + high) / 2;
        if (frs_distribution_quantile(distribution, u) <= value)
            low = u;
        else
            high = u;
    }
    return low;
}

double frs_distribution_mixed_quantile(
    const struct frs_distribution *const *distributions, const double *shares, size_t n, double u) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, frs_distribution_quantile(distributions[i], u));
        high = fmax(high, frs_distribution_quantile(distributions[i], u));
    }
    /* The mixture's quantile lies between those of its parts; 100 halvings leave neighbouring doubles. */
    for (int i = 0; i < 100 && low < high; i++) {
        double value = (low + high) / 2, share = 0;
        for (size_t c = 0; c < n; c++)
            share += shares[c] * share_below(distributions[c], value);
        if (share < u)
            low = value;
        else
            high = value;
    }
    return high;
}
