/* Availability models and reachabilities from settings as a scenario would give them. */
#ifndef FRS_TESTS_PLATFORMS_AVAILABILITY_FIXTURE_H
#define FRS_TESTS_PLATFORMS_AVAILABILITY_FIXTURE_H

#include "platforms/availability/availability.h"
#include "platforms/failures/failures.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SETTINGS(...)                                                                                        \
    (const char *const[]) {                                                                                  \
        __VA_ARGS__, NULL                                                                                    \
    }
#define HOUR_S 3600.0
#define DAY_S 86400.0

static inline const struct frs_plugin *plugin_of(const char *name) {
    const struct frs_plugin *const *plugin = frs_availability_plugins;
    while (*plugin && strcmp((*plugin)->name, name) != 0)
        plugin++;
    ck_assert_ptr_nonnull(*plugin);
    return *plugin;
}

/* Section `availability` with a model chosen. Settings may be NULL. */
static inline struct frs_values availability_values(
    const char *model, const char *const *settings, const char *outages) {
    struct frs_values values = frs_values_of(plugin_of(model)->params, settings);
    char reason[256];
    for (const struct frs_param *param = frs_availability_params; param->key; param++)
        frs_values_add(&values, param);
    if (outages)
        ck_assert_int_eq(
            frs_value_set(frs_values_find(&values, "outages"), outages, reason, sizeof reason), FRS_OK);
    return values;
}

static inline bool reachability_try(struct frs_reachability *reachability, const char *model,
    const char *const *settings, const char *outages, const char *const *churn, uint32_t n_clients,
    uint64_t seed, struct frs_errors *errors) {
    struct frs_values availability = availability_values(model, settings, outages);
    struct frs_values failures = frs_values_of(frs_failures_params, churn);
    bool good = frs_reachability_init(
        reachability, plugin_of(model), &availability, &failures, NULL, n_clients, seed, errors);
    frs_values_fini(&availability);
    frs_values_fini(&failures);
    return good;
}

static inline struct frs_reachability reachability_of(const char *model, const char *const *settings,
    const char *outages, const char *const *churn, uint32_t n_clients, uint64_t seed) {
    struct frs_reachability reachability;
    struct frs_errors errors = {0};
    bool good = reachability_try(&reachability, model, settings, outages, churn, n_clients, seed, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert(good);
    return reachability;
}

/* Settings that must be refused with a line that holds `message`. */
static inline void refuses_availability(
    const char *model, const char *const *settings, const char *outages, const char *message) {
    struct frs_reachability reachability;
    struct frs_errors errors = {0};
    ck_assert(!reachability_try(&reachability, model, settings, outages, NULL, 10, 1, &errors));
    ck_assert_uint_gt(errors.n, 0);
    ck_assert_msg(strstr(errors.lines[0], message), "\"%s\" is not in: %s", message, errors.lines[0]);
    frs_errors_clear(&errors);
}

static inline bool online_at(const struct frs_reachability *reachability, uint32_t client, double t_s) {
    double until_s;
    return frs_reachable(reachability, client, 1, 0, t_s, &until_s);
}

/* A share of n independent clients against its probability, 4 standard deviations
 * (and one client of slack). */
static inline void ck_share(double share, double probability, double n) {
    double slack = 4 * sqrt(probability * (1 - probability) / n) + 1 / n;
    ck_assert_msg(fabs(share - probability) <= slack, "%g instead of %g ± %g", share, probability, slack);
}

/* A file with this text; the caller unlinks and frees the path. */
static inline char *write_file(const char *text) {
    char *path = frs_strdup("/tmp/frs_test_availability_XXXXXX");
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    close(file);
    return path;
}

#endif
