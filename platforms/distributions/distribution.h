/* Distribution: how a property of the clients (bandwidth, latency, speed, memory) is spread over the
 * population.
 *
 * A distribution is one file in platforms/distributions/ and one line in
 * platforms/distributions/distributions.def. It maps a quantile u in (0, 1) to a value, which never falls
 * as u rises. A client's quantile is decided elsewhere (platforms/distributions/quantile.h), so that two
 * properties can be correlated. Its keys are quantities, so a distribution is declared once per dimension. */
#ifndef FRS_PLATFORMS_DISTRIBUTIONS_DISTRIBUTION_H
#define FRS_PLATFORMS_DISTRIBUTIONS_DISTRIBUTION_H

#include "platforms/distributions/cdf.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/settings/plugin.h"

#include <stddef.h>
#include <stdint.h>

#define FRS_DISTRIBUTION_SETTINGS 4

struct frs_distribution;

struct frs_distribution_kind {
    struct frs_plugin plugin;
    enum frs_dimension dimension;
    double least; /* smallest value that makes sense, SI units */
    /* Reads the plug-in's keys into distribution->p and distribution->cdf; returns false after adding
     * errors about combinations. */
    bool (*read)(
        const struct frs_values *values, struct frs_distribution *distribution, struct frs_errors *errors);
    /* The value at quantile u, in SI units. */
    double (*quantile)(const struct frs_distribution *distribution, double u);
    bool is_constant; /* the value is the same at every quantile: none need be drawn */
};

/* Registries, one for each dimension: of latencies and other times, of bandwidths, of compute speeds, of
 * memory, of the sizes of messages, of operations. The value of a constant size or work may differ between
 * classes (sim/base/settings/by_class.h). */
extern const struct frs_plugin *frs_time_distributions[FRS_REGISTRY_ROOM];
extern const struct frs_plugin *frs_rate_distributions[FRS_REGISTRY_ROOM];
extern const struct frs_plugin *frs_speed_distributions[FRS_REGISTRY_ROOM];
extern const struct frs_plugin *frs_bytes_distributions[FRS_REGISTRY_ROOM];
extern const struct frs_plugin *frs_message_distributions[FRS_REGISTRY_ROOM];
extern const struct frs_plugin *frs_work_distributions[FRS_REGISTRY_ROOM];

/* A distribution with its settings. */
struct frs_distribution {
    const struct frs_distribution_kind *distribution;
    double p[FRS_DISTRIBUTION_SETTINGS];
    struct frs_cdf cdf; /* of `empirical`; owned */
};

/* A scenario section that holds a distribution. */
struct frs_distribution_section {
    const struct frs_plugin *plugin;
    const struct frs_values *values;
};

/* From a scenario section whose plug-in is `plugin`; false after adding errors, with *distribution empty. */
bool frs_distribution_read(const struct frs_plugin *plugin, const struct frs_values *values,
    struct frs_distribution *distribution, struct frs_errors *errors);

/* A distribution that was never read is empty and may be freed as well. */
void frs_distribution_fini(struct frs_distribution *distribution);

/* Never below the distribution's `least` nor above frs_units_most, unless it is unlimited. */
double frs_distribution_quantile(const struct frs_distribution *distribution, double u);

/* The value at the client's quantile in the stream of `purpose`. */
double frs_distribution_draw(
    const struct frs_distribution *distribution, uint64_t seed, uint32_t client, enum frs_purpose purpose);

double frs_distribution_median(const struct frs_distribution *distribution);

/* Whether clients can differ at all. */
bool frs_distribution_varies(const struct frs_distribution *distribution);

/* The value below which a share `u` of a population lies that mixes distributions in these shares (they
 * sum to 1). */
double frs_distribution_mixed_quantile(
    const struct frs_distribution *const *distributions, const double *shares, size_t n, double u);

#endif
