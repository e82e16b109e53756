#include "sim/setup/compose/correlation.h"
#include "algorithms/data/tastes.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>
#include <string.h>

/* What a client is like, as a number that is larger for those who are lost least and online most. */
enum trait { UPLINK, DOWNLINK, SPEED, ACTIVITY, TASTE, N_TRAITS };
static const char *const names[N_TRAITS] = {"uplink", "downlink", "speed", "activity", "taste"};

static double value_of(const struct frs_setup *setup, enum trait trait, uint32_t client) {
    const struct frs_devices *devices = &setup->devices;
    uint64_t seed = setup->training.seed;
    switch (trait) {
    case UPLINK:
        return frs_network_client(&setup->network, seed, client).up_bytes_per_s;
    case DOWNLINK:
        return frs_network_client(&setup->network, seed, client).down_bytes_per_s;
    case SPEED:
        return devices->compute == FRS_COMPUTE_PER_SAMPLE
                   ? -frs_devices_compute_s(devices, seed, client, (struct frs_spent){.samples = 1})
                   : frs_devices_flop_per_s(devices, seed, client);
    case ACTIVITY:
        return (double)setup->training.data->population.clients[client].n;
    case TASTE:
    case N_TRAITS:
        break;
    }
    return 0;
}

static double *values_of(const struct frs_setup *setup, enum trait trait) {
    const struct frs_data *data = setup->training.data;
    uint32_t n = data->population.n_clients;
    double *values = frs_alloc(n, sizeof *values);
    if (trait == TASTE) {
        struct frs_tastes tastes =
            frs_tastes_of(data, frs_scenario_section(setup->scenario, "data"), setup->training.seed);
        memcpy(values, tastes.usual, n * sizeof *values);
        frs_tastes_fini(&tastes);
        return values;
    }
    for (uint32_t client = 0; client < n; client++)
        values[client] = value_of(setup, trait, client);
    return values;
}

static enum trait trait_of(const char *name) {
    enum trait trait = 0;
    while (trait + 1 < N_TRAITS && strcmp(names[trait], name) != 0)
        trait++;
    return trait;
}

/* The values of what a section follows; NULL after adding an error. */
static double *read(const struct frs_setup *setup, const char *path, const char *name, const char *allowed,
    struct frs_errors *errors) {
    enum trait trait = trait_of(name);
    const struct frs_values *values = frs_scenario_section(setup->scenario, path);
    if ((trait == UPLINK || trait == DOWNLINK) && setup->platform.file) {
        frs_values_error(values, "follows", errors,
            "\"%s\" is not known on a platform of your own; allowed there: %s", name, allowed);
        return NULL;
    }
    if (trait == TASTE && !setup->training.data->training_items) {
        frs_values_error(values, "follows", errors,
            "\"taste\" is that of interactions, and there are none; allowed: %s", allowed);
        return NULL;
    }
    return values_of(setup, trait);
}

static void refuse_alike(const struct frs_setup *setup, const char *path, const char *name, const char *what,
    struct frs_errors *errors) {
    frs_values_error(frs_scenario_section(setup->scenario, path), "follows", errors,
        "\"%s\" is the same for all clients here, and no client can be %s by it; allowed: none, or what "
        "differs "
        "between clients",
        name, what);
}

void frs_compose_loss_correlation(struct frs_setup *setup, struct frs_errors *errors) {
    struct frs_failures *failures = &setup->failures;
    const char *name = frs_loss_correlation_names[failures->follows];
    uint32_t n = setup->training.data->population.n_clients;
    if (failures->follows == FRS_FOLLOWS_NOTHING)
        return;
    double *burdens = read(setup, "failures", name, "none | speed | activity", errors);
    if (!burdens)
        return;
    for (uint32_t client = 0; client < n; client++)
        burdens[client] = -burdens[client];
    if (!frs_failures_follow(failures, burdens, n, setup->training.seed))
        refuse_alike(setup, "failures", name, "lost more often", errors);
    free(burdens);
}

void frs_compose_availability_correlation(struct frs_setup *setup, struct frs_errors *errors) {
    enum frs_availability_follows by = setup->reachability.follows.by;
    const char *name = frs_availability_follows_names[by];
    if (by == FRS_HEARD_BY_NOTHING)
        return;
    double *usual = read(setup, "availability", name, "none | speed | activity", errors);
    if (usual && !frs_reachability_follow(&setup->reachability, usual, setup->training.seed))
        refuse_alike(setup, "availability", name, "online more than others", errors);
    free(usual);
}

bool frs_compose_goes_by_taste(const struct frs_setup *setup) {
    static const char *const paths[] = {"availability", "failures"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const struct frs_value *follows =
            frs_values_find(frs_scenario_section(setup->scenario, paths[i]), "follows");
        if (follows && strcmp(follows->param->choices[follows->choice], "taste") == 0)
            return true;
    }
    return false;
}
