#include "platforms/distributions/distribution.h"

#include <math.h>

#define DISTRIBUTION(name) extern const struct frs_distribution frs_distribution_##name[4];
#include "platforms/distributions/distributions.def"
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[0].plugin,
const struct frs_plugin *const frs_time_distributions[] = {
#include "platforms/distributions/distributions.def"
    NULL,
};
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[1].plugin,
const struct frs_plugin *const frs_rate_distributions[] = {
#include "platforms/distributions/distributions.def"
    NULL,
};
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[2].plugin,
const struct frs_plugin *const frs_speed_distributions[] = {
#include "platforms/distributions/distributions.def"
    NULL,
};
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[3].plugin,
const struct frs_plugin *const frs_bytes_distributions[] = {
#include "platforms/distributions/distributions.def"
    NULL,
};

bool frs_law_read(const struct frs_plugin *plugin, const struct frs_values *values, struct frs_law *law,
    struct frs_errors *errors) {
    /* The plug-in is the first member of its distribution. */
    *law = (struct frs_law){.distribution = (const struct frs_distribution *)(const void *)plugin};
    if (law->distribution->read(values, law, errors))
        return true;
    frs_law_fini(law);
    return false;
}

void frs_law_fini(struct frs_law *law) {
    frs_cdf_fini(&law->cdf);
    *law = (struct frs_law){0};
}

/* The tails of a distribution end where values stop to make sense. */
double frs_law_quantile(const struct frs_law *law, double u) {
    double value = law->distribution->quantile(law, u);
    if (isinf(value)) /* "unlimited" */
        return value;
    return fmin(fmax(value, law->distribution->least), frs_units_most(law->distribution->dimension));
}

double frs_law_draw(const struct frs_law *law, uint64_t seed, uint32_t client, enum frs_purpose purpose) {
    return frs_law_quantile(
        law, law->distribution->is_constant ? 0.5 : frs_quantile_draw(seed, client, purpose));
}

double frs_law_median(const struct frs_law *law) {
    return frs_law_quantile(law, 0.5);
}

bool frs_law_varies(const struct frs_law *law) {
    return frs_law_quantile(law, FRS_QUANTILE_LEAST) < frs_law_quantile(law, 1 - FRS_QUANTILE_LEAST);
}

/* The share of clients at or below `value`: where the quantile function passes it. */
static double share_below(const struct frs_law *law, double value) {
    double low = 0, high = 1;
    for (int i = 0; i < 52; i++) {
        double u = (low + high) / 2;
        if (frs_law_quantile(law, u) <= value)
            low = u;
        else
            high = u;
    }
    return low;
}

double frs_law_mixed_quantile(const struct frs_law *const *laws, const double *shares, size_t n, double u) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, frs_law_quantile(laws[i], u));
        high = fmax(high, frs_law_quantile(laws[i], u));
    }
    /* The mixture's quantile lies between those of its parts; 100 halvings leave neighbouring doubles. */
    for (int i = 0; i < 100 && low < high; i++) {
        double value = (low + high) / 2, share = 0;
        for (size_t c = 0; c < n; c++)
            share += shares[c] * share_below(laws[c], value);
        if (share < u)
            low = value;
        else
            high = value;
    }
    return high;
}
