/* FedMF as in PFedCLR's tables. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_fedmf_pfedclr = {
    .plugin = {.name = "fedmf_pfedclr",
        .summary = "FedMF as in PFedCLR's tables: d 16, E 10, B 256, Adam 0.01, 60 % of clients, 100 rounds",
        .source = "PFedCLR, section 5.1; initial values N(0, 1) of its published relatives"},
    .settings =
        (const char *const[][2]){
            {"method.name", "fedmf"},
            {"method.dim", "16"},
            {"method.epochs", "10"},
            {"method.batch", "256"},
            {"method.optimiser", "adam"},
            {"method.learning_rate", "0.01"},
            {"method.init_sd", "1"},
            {"method.user_init", "shared"},
            {"method.weight_decay", "0"},
            {"method.aggregation", "data_size"},
            {"data.min_interactions", "10"},
            {"rounds.count", "100"},
            {"rounds.cohort", "60 %"},
            {NULL, NULL},
        },
};
