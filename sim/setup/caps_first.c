#include "sim/setup/caps_first.h"
#include "algorithms/model.h"
#include "algorithms/training/workload.h"

#include <math.h>

/* Of a message, and of a table in it, as algorithms/messages writes them. */
#define HEADER_BYTES 24

static struct frs_spending with_connecting(const struct frs_setup *setup, struct frs_spending first) {
    if (frs_network_connects(&setup->network)) {
        const struct frs_connecting connecting = frs_connecting(setup->network.connection);
        first.down_bytes += (double)(connecting.down_bytes + connecting.up_bytes);
    }
    return first;
}

/* That of the client that sends and receives the least. */
static struct frs_spending of_declared(const struct frs_setup *setup) {
    const struct frs_workload *workload = setup->training.workload;
    struct frs_spending least = {.down_bytes = INFINITY};
    for (uint32_t client = 0; client < setup->training.data->population.n_clients; client++) {
        struct frs_usage usage = frs_workload_usage(workload, client);
        double down_bytes = (double)usage.down_bytes, up_bytes = (double)usage.up_bytes;
        if (down_bytes + up_bytes < least.down_bytes + least.up_bytes)
            least = (struct frs_spending){.down_bytes = down_bytes, .up_bytes = up_bytes};
    }
    return with_connecting(setup, least);
}

struct frs_spending frs_caps_first(const struct frs_setup *setup) {
    const struct frs_training_setup *training = &setup->training;
    struct frs_budgets budgets = frs_training_budgets(training);
    if (training->workload)
        return of_declared(setup);
    bool smallest = budgets.max > 0 && setup->adaptation->within_caps;
    struct frs_spending first = {.down_bytes = HEADER_BYTES + frs_model_bytes(training->model, FRS_STATE),
        .up_bytes = training->uplink_codec.codec->fixed_size
                        ? frs_training_predicted_bytes(training, smallest ? budgets.min : budgets.max)
                        : 0};
    return with_connecting(setup, first);
}
