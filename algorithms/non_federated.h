/* Non-federated baseline: a recommender without federation, as a reference for every federated figure.
 *
 * A baseline is one file in algorithms/non_federated/ with one constant `struct frs_non_federated_model`,
 * and one line in algorithms/non_federated/non_federated.def. */
#ifndef FRS_ALGORITHMS_NON_FEDERATED_H
#define FRS_ALGORITHMS_NON_FEDERATED_H

#include "algorithms/client_data.h"
#include "algorithms/scorer.h"
#include "sim/base/settings/plugin.h"
#include "sim/base/status.h"

#include <stdatomic.h>
#include <stdbool.h>

struct frs_non_federated_model {
    struct frs_plugin plugin;
    bool predicts_ratings; /* meaningful for explicit feedback (MAE, RMSE); otherwise it ranks */
    /* Whether the keys make sense together, beyond their ranges; adds errors. NULL: they always do. */
    enum frs_status (*check)(const struct frs_values *values, struct frs_errors *errors);
    /* Bytes that the fit and its model take at most, for forecasts; refused beyond what the process may have.
     * NULL: about as much as the data. */
    double (*memory_bytes)(const struct frs_values *values, const struct frs_population *population);
    /* Trains on the clients' training items, on any thread, beside other computations. `values` has the
     * plug-in's own keys. Returns a model for `destroy`. The population outlives the model. A long fit
     * checks from time to time whether it is stopped; its model may then only be destroyed. */
    void *(*fit)(
        const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped);
    void (*destroy)(void *model);
    void (*score)(const void *model, uint32_t client, const uint32_t *items, size_t n, float *scores);
};

/* Whether a fit may end because its result is no longer needed; `stopped` NULL: never. */
static inline bool frs_is_stopped(const atomic_bool *stopped) {
    return stopped && atomic_load_explicit(stopped, memory_order_relaxed);
}

/* All baselines, ended by NULL. */
extern const struct frs_non_federated_model *const frs_non_federated[];

/* The same as plug-ins, for scenarios; ended by NULL. */
extern const struct frs_plugin *const frs_non_federated_model_plugins[];

/* By name, or NULL. */
const struct frs_non_federated_model *frs_non_federated_model_find(const char *name);

#endif
