#include "platforms/distribution.h"

#define DISTRIBUTION(name) extern const struct frs_distribution frs_distribution_##name[3];
#include "platforms/distributions.def"
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[0].plugin,
const struct frs_plugin *const frs_time_distributions[] = {
#include "platforms/distributions.def"
    NULL,
};
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[1].plugin,
const struct frs_plugin *const frs_rate_distributions[] = {
#include "platforms/distributions.def"
    NULL,
};
#undef DISTRIBUTION

#define DISTRIBUTION(name) &frs_distribution_##name[2].plugin,
const struct frs_plugin *const frs_speed_distributions[] = {
#include "platforms/distributions.def"
    NULL,
};

bool frs_law_read(const struct frs_plugin *plugin, const struct frs_values *values, struct frs_law *law,
    struct frs_errors *errors) {
    /* The plug-in is the first member of its distribution. */
    law->distribution = (const struct frs_distribution *)(const void *)plugin;
    return law->distribution->read(values, law->p, errors);
}

double frs_law_draw(const struct frs_law *law, uint64_t seed, uint32_t client, enum frs_purpose purpose) {
    struct frs_rng rng = frs_rng_stream(seed, client, 0, 0, purpose);
    return law->distribution->draw(law->p, &rng);
}

double frs_law_median(const struct frs_law *law) {
    return law->distribution->median(law->p);
}
