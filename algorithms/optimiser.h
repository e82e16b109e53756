/* Server optimiser: turns an aggregate into the change of the server's tables (Reddi et al. 2021, "Adaptive
 * Federated Optimization"). The aggregate stands for the negative of a gradient.
 *
 * An optimiser is one file in algorithms/optimisers/ with one constant `struct frs_optimiser`, and one line
 * in algorithms/optimisers/optimisers.def. It knows neither methods nor messages: algorithms/server_step.h
 * gives it the numbers of a table and keeps its moments. */
#ifndef FRS_ALGORITHMS_OPTIMISER_H
#define FRS_ALGORITHMS_OPTIMISER_H

#include "sim/base/settings/plugin.h"

#include <stddef.h>

#define FRS_MAX_MOMENTS 2u

/* Each optimiser says what it uses of it. */
struct frs_optimiser_settings {
    float rate; /* η */
    float beta1, beta2, tau;
};

/* For each number of a table its moments. */
struct frs_moments {
    float *of[FRS_MAX_MOMENTS];
};

struct frs_optimiser {
    struct frs_plugin plugin;
    size_t n_moments; /* at most FRS_MAX_MOMENTS; 0: a step depends on nothing before it */
    double flop;      /* operations for each number of a table */
    /* Reads its keys, `rate` among them, and says what the moments begin with. */
    void (*init)(const struct frs_values *values, struct frs_optimiser_settings *settings,
        float start[FRS_MAX_MOMENTS]);
    /* Replaces n changes Δ, some of which may be zero, by the changes to be added to the table; updates
     * the moments. */
    void (*apply)(
        const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n);
};

/* Entries of an optimiser's parameter table. */
#define FRS_OPTIMISER_RATE_PARAM(default_)                                                                   \
    {                                                                                                        \
        .key = "rate", .type = FRS_REAL, .initial = default_, .min = 1e-9, .max = 1e6,                       \
        .help = "server's learning rate eta"                                                                 \
    }
#define FRS_OPTIMISER_DECAY_PARAM(key_, default_, of)                                                        \
    {                                                                                                        \
        .key = key_, .type = FRS_REAL, .initial = default_, .min = 0, .max = 0.999999,                       \
        .help = "how much of the " of " is kept from one aggregation to the next"                            \
    }
#define FRS_OPTIMISER_TAU_PARAM                                                                              \
    {                                                                                                        \
        .key = "tau", .type = FRS_REAL, .initial = "1e-3", .min = 1e-12, .max = 1e3,                         \
        .help = "added to the root of the second moment, which begins as tau squared"                        \
    }

/* All optimisers that are built in, ended by NULL; and the registry that scenarios choose from. */
extern const struct frs_optimiser *const frs_optimisers[];
extern const struct frs_plugin *frs_optimiser_plugins[FRS_REGISTRY_ROOM];

#endif
