#include "sim/setup/compose/loss_correlation.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

/* The quantity with which a client's dropout probability grows. */
static double burden(const struct frs_setup *setup, uint32_t client) {
    const struct frs_devices *devices = &setup->devices;
    switch (setup->failures.follows) {
    case FRS_FOLLOWS_UPLINK:
        return -frs_network_client(&setup->network, setup->training.seed, client).up_bytes_per_s;
    case FRS_FOLLOWS_DOWNLINK:
        return -frs_network_client(&setup->network, setup->training.seed, client).down_bytes_per_s;
    case FRS_FOLLOWS_SPEED:
        return devices->compute == FRS_COMPUTE_PER_SAMPLE
                   ? frs_devices_compute_s(
                         devices, setup->training.seed, client, (struct frs_spent){.samples = 1})
                   : -frs_devices_flop_per_s(devices, setup->training.seed, client);
    case FRS_FOLLOWS_ACTIVITY:
        return -(double)setup->training.data->population.clients[client].n;
    case FRS_FOLLOWS_NOTHING:
        break;
    }
    return 0;
}

void frs_compose_loss_correlation(struct frs_setup *setup, struct frs_errors *errors) {
    struct frs_failures *failures = &setup->failures;
    enum frs_loss_correlation follows = failures->follows;
    const struct frs_values *values = frs_scenario_section(setup->scenario, "failures");
    if (follows == FRS_FOLLOWS_NOTHING)
        return;
    bool link = follows == FRS_FOLLOWS_UPLINK || follows == FRS_FOLLOWS_DOWNLINK;
    if (link && setup->platform.file) {
        frs_values_error(values, "follows", errors,
            "\"%s\" is not known on a platform of your own; allowed there: none | speed | activity",
            frs_loss_correlation_names[follows]);
        return;
    }
    uint32_t n = setup->training.data->population.n_clients;
    double *burdens = frs_alloc(n, sizeof *burdens);
    for (uint32_t client = 0; client < n; client++)
        burdens[client] = burden(setup, client);
    if (!frs_failures_follow(failures, burdens, n, setup->training.seed))
        frs_values_error(values, "follows", errors,
            "\"%s\" is the same for all clients here, and nobody can be lost more often by it; allowed: "
            "none, or what differs between clients",
            frs_loss_correlation_names[follows]);
    free(burdens);
}
