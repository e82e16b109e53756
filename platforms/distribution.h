/* Distribution: how a property of the clients (bandwidth, latency, speed) is spread over the population.
 *
 * A distribution is one file in platforms/distributions/ and one line in platforms/distributions.def. Because
 * its keys are quantities, it is declared once per dimension with the macro below. */
#ifndef FRS_PLATFORMS_DISTRIBUTION_H
#define FRS_PLATFORMS_DISTRIBUTION_H

#include "sim/base/params.h"
#include "sim/base/rng.h"

#define FRS_DISTRIBUTION_SETTINGS 4

struct frs_distribution {
    struct frs_plugin plugin;
    /* Reads the plug-in's keys into p; false after adding errors about combinations. */
    bool (*read)(
        const struct frs_values *values, double p[FRS_DISTRIBUTION_SETTINGS], struct frs_errors *errors);
    /* One client's value, in SI units, from that client's stream. */
    double (*draw)(const double p[FRS_DISTRIBUTION_SETTINGS], struct frs_rng *rng);
    /* The middle of the distribution, for forecasts. */
    double (*median)(const double p[FRS_DISTRIBUTION_SETTINGS]);
};

/* Plug-ins per dimension, ended by NULL: of latencies, of bandwidths, of compute speeds. */
extern const struct frs_plugin *const frs_time_distributions[];
extern const struct frs_plugin *const frs_rate_distributions[];
extern const struct frs_plugin *const frs_speed_distributions[];

/* A distribution with its settings. */
struct frs_law {
    const struct frs_distribution *distribution;
    double p[FRS_DISTRIBUTION_SETTINGS];
};

/* From a scenario section whose plug-in is `plugin`; false after adding errors. */
bool frs_law_read(const struct frs_plugin *plugin, const struct frs_values *values, struct frs_law *law,
    struct frs_errors *errors);

double frs_law_draw(const struct frs_law *law, uint64_t seed, uint32_t client, enum frs_purpose purpose);
double frs_law_median(const struct frs_law *law);

#endif
