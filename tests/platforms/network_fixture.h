/* A network from settings: keys of the section `network`, and its three distributions. */
#ifndef FRS_TESTS_PLATFORMS_NETWORK_FIXTURE_H
#define FRS_TESTS_PLATFORMS_NETWORK_FIXTURE_H

#include "platforms/networks/network.h"
#include "sim/base/settings/params.h"
#include "tests/folder.h"

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NOTHING ((const char *const[]){NULL})

/* A distribution by name with its keys; without name: by_class, as a preset of classes sets it. */
struct distribution_text {
    const char *name;
    const char *const *settings;
};

static inline const struct frs_plugin *distribution(
    const struct frs_plugin *const *plugins, const char *name) {
    for (; *plugins; plugins++)
        if (strcmp((*plugins)->name, name) == 0)
            return *plugins;
    ck_abort_msg("no distribution %s", name);
    return NULL;
}

static inline bool network_read(struct frs_network *network, const char *const *settings,
    const struct distribution_text distributions[3]) {
    struct frs_values values = frs_values_of(frs_network_params, settings), distribution_values[3];
    struct frs_distribution_section sections[3];
    free(values.section);
    values.section = frs_strdup("network");
    for (size_t i = 0; i < 3; i++) {
        sections[i].plugin =
            distribution(i == FRS_DISTRIBUTION_LATENCY ? frs_time_distributions : frs_rate_distributions,
                distributions[i].name ? distributions[i].name : "by_class");
        distribution_values[i] = frs_values_of(
            sections[i].plugin->params, distributions[i].name ? distributions[i].settings : NOTHING);
        sections[i].values = &distribution_values[i];
    }
    bool ok = frs_network_read(network, &values, sections, &errors);
    const struct frs_value *classes = frs_values_find(&values, "classes");
    if (ok && classes->idle) { /* what nothing reads is refused once everything has been set up */
        frs_values_error(&values, "classes", &errors, "%s", classes->idle);
        frs_network_fini(network);
        ok = false;
    }
    for (size_t i = 0; i < 3; i++)
        frs_values_fini(&distribution_values[i]);
    frs_values_fini(&values);
    return ok;
}

static inline struct frs_network network_of(
    const char *const *settings, const struct distribution_text distributions[3]) {
    struct frs_network network;
    bool ok = network_read(&network, settings, distributions);
    expect_no_error();
    ck_assert(ok);
    return network;
}

/* 1 MB/s down, 0.5 MB/s up, 20 ms. */
static const struct distribution_text plain_distributions[3] = {{"constant", SETTINGS("value", "1 MB/s")},
    {"constant", SETTINGS("value", "0.5 MB/s")}, {"constant", SETTINGS("value", "20 ms")}};
static const struct distribution_text spread_distributions[3] = {{"lognormal", SETTINGS("median", "10 MB/s")},
    {"lognormal", SETTINGS("median", "5 MB/s")},
    {"uniform", (const char *const[]){"low", "10 ms", "high", "30 ms", NULL}}};
static const struct distribution_text class_distributions[3] = {{0}, {0}, {0}};

#endif
