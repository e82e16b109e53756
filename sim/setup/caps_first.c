#include "sim/setup/caps_first.h"
#include "algorithms/model.h"

/* Of a message, and of a table in it, as algorithms/messages writes them. */
#define HEADER_BYTES 24

struct frs_spending frs_caps_first(const struct frs_setup *setup) {
    const struct frs_training_setup *training = &setup->training;
    struct frs_budgets budgets = frs_training_budgets(training);
    bool smallest = budgets.max > 0 && setup->adaptation->within_caps;
    struct frs_spending first = {.down_bytes = HEADER_BYTES + frs_model_bytes(training->model, FRS_STATE),
        .up_bytes = training->uplink_codec.codec->fixed_size
                        ? frs_training_predicted_bytes(training, smallest ? budgets.min : budgets.max)
                        : 0};
    if (frs_network_connects(&setup->network)) {
        const struct frs_connecting connecting = frs_connecting(setup->network.connection);
        first.down_bytes += (double)(connecting.down_bytes + connecting.up_bytes);
    }
    return first;
}
