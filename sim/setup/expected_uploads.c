#include "sim/setup/expected_uploads.h"
#include "sim/setup/memory_fit.h"

#include <math.h>

double frs_setup_arrival(const struct frs_setup *setup, uint32_t client) {
    bool fits = frs_memory_needed_bytes(setup, client) <=
                frs_devices_memory_bytes(&setup->devices, setup->training.seed, client);
    if (!fits)
        return 0;
    return 1 - (frs_training_own_models(&setup->training)
                       ? frs_failures_loss_after_download(&setup->failures, client)
                       : frs_failures_loss(&setup->failures, client, NULL));
}

static double selected_share(const struct frs_setup *setup) {
    double n_clients = setup->training.data->population.n_clients;
    return fmin(frs_setup_selected(setup) / n_clients, 1);
}

double frs_setup_upload_probability(const struct frs_setup *setup) {
    uint32_t n_clients = setup->training.data->population.n_clients;
    double sum = 0;
    for (uint32_t client = 0; client < n_clients; client++)
        sum += frs_setup_arrival(setup, client);
    return selected_share(setup) * sum / n_clients;
}

double frs_setup_heard(const struct frs_setup *setup, double n_rounds) {
    uint32_t n_clients = setup->training.data->population.n_clients;
    double selected = selected_share(setup), heard = 0;
    for (uint32_t client = 0; client < n_clients; client++)
        heard += 1 - pow(1 - selected * frs_setup_arrival(setup, client), n_rounds);
    return heard;
}
