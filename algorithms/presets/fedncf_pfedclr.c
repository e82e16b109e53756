/* FedNCF as in PFedCLR's tables. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_fedncf_pfedclr = {
    .plugin = {.name = "fedncf_pfedclr",
        .summary = "FedNCF as in PFedCLR's tables: d 16, layers of 16 and 8, Adam 0.01, 60 % of clients, 100"
                   " rounds",
        .source = "PFedCLR, section 5.1"},
    .settings =
        (const char *const[][2]){
            {"method.name", "fedncf"},
            {"method.dim", "16"},
            {"method.layers", "16,8"},
            {"method.epochs", "10"},
            {"method.batch", "256"},
            {"method.optimiser", "adam"},
            {"method.learning_rate", "0.01"},
            {"method.weight_decay", "0"},
            {"method.init_sd", "0.1"},
            {"method.user_init", "shared"},
            {"method.aggregation", "per_item"},
            {"data.min_interactions", "10"},
            {"rounds.count", "100"},
            {"rounds.cohort", "60 %"},
            {NULL, NULL},
        },
};
