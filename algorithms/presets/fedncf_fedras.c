/* FedNCF as in FedRAS's tables. */
#include "algorithms/presets/fedras.h"
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_fedncf_fedras = {
    .plugin = {.name = "fedncf_fedras",
        .summary = "FedNCF as in FedRAS's tables: d 32, layers of 64, 32 and 16, SGD, 10 % of clients, 500 "
                   "rounds",
        .source = "Lu et al. 2025 (FedRAS), section 5.1; its learning rate is unpublished: 1 is "
                  "best on validation items, with row means as for MF"},
    .settings =
        (const char *const[][2]){
            {"method.name", "fedncf"},
            {"method.dim", "32"},
            {"method.layers", "64,32,16"},
            {"method.epochs", "2"},
            {"method.batch", "256"},
            {"method.optimiser", "sgd"},
            {"method.learning_rate", "1"},
            {"method.sgd_scaling", "row_mean"},
            {"method.weight_decay", "5e-4"},
            {"method.init_sd", "0"},
            {"method.user_init", "private"},
            {"method.aggregation", "per_item"},
            FRS_FEDRAS_ROUNDS,
            {NULL, NULL},
        },
};
