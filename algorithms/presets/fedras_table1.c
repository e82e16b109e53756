/* FedRAS as in its table 1. */
#include "algorithms/presets/fedras.h"
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_fedras_table1 = {
    .plugin = {.name = "fedras_table1",
        .summary = "FedRAS as in its table 1 at CR 93.75 %: groups both ways, d 32, E 2, SGD, 10 % of "
                   "clients, 500 rounds",
        .source = "Lu et al. 2025 (FedRAS), section 5.1; learning rate and rounds are unpublished, chosen "
                  "on validation"},
    .settings =
        (const char *const[][2]){
            FRS_FEDRAS_TRAINING,
            {"codec.uplink.name", "groups"},
            {"codec.uplink.compression_rate", "0.9375"},
            {"codec.downlink.name", "adaptive_groups"},
            {"codec.downlink.compression_rate", "0.9375"},
            {"codec.downlink.alpha", "0.2"},
            FRS_FEDRAS_ROUNDS,
            {NULL, NULL},
        },
};
