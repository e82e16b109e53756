#include "sim/setup/memory_fit.h"
#include "sim/base/errors.h"
#include "sim/base/settings/units.h"
#include "sim/base/verdicts.h"

#include <math.h>

double frs_memory_needed_bytes(const struct frs_setup *setup, uint32_t client) {
    if (setup->training.workload)
        return (double)setup->training.workload->of(setup->training.workload, client).down_bytes;
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(setup->training.model, FRS_STATE, shapes);
    double bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += 4.0 * (double)(shapes[i].n_rows * shapes[i].dim);
    if (frs_training_own_models(&setup->training) ||
        setup->training.gossips) /* it keeps its own until it has received the next as a whole */
        bytes *= 2;
    n = frs_model_parts(setup->training.model, FRS_PERSONAL, shapes);
    for (size_t i = 0; i < n; i++)
        bytes += 4.0 * (double)(shapes[i].n_rows * shapes[i].dim);
    return bytes;
}

uint32_t frs_memory_too_small(const struct frs_setup *setup) {
    uint32_t n = 0;
    for (uint32_t client = 0; client < setup->training.data->population.n_clients; client++)
        n += frs_memory_needed_bytes(setup, client) >
             frs_devices_memory_bytes(&setup->devices, setup->training.seed, client);
    return n;
}

enum frs_status frs_memory_check(const struct frs_setup *setup, struct frs_errors *errors) {
    double largest = 0, least_bytes = INFINITY;
    char needed[64], most[64];
    uint32_t n_clients = setup->training.data->population.n_clients;
    if (frs_memory_too_small(setup) < n_clients)
        return FRS_OK;
    for (uint32_t client = 0; client < n_clients; client++)
        least_bytes = fmin(least_bytes, frs_memory_needed_bytes(setup, client));
    for (uint32_t client = 0; client < n_clients; client++)
        largest = fmax(largest, frs_devices_memory_bytes(&setup->devices, setup->training.seed, client));
    return frs_errors_add(errors, FRS_ERR_RUN,
        FRS_SAYS_NOBODY ": the tables of %s take %s, and the largest memory of a client is %s "
                        "(devices.memory)",
        setup->training.learner->plugin.name, frs_units_format(least_bytes, FRS_BYTES, needed, sizeof needed),
        frs_units_format(largest, FRS_BYTES, most, sizeof most));
}
