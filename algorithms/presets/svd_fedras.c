/* The baseline SVD of FedRAS's table 1. */
#include "algorithms/presets/fedras.h"
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_svd_fedras = {
    .plugin = {.name = "svd_fedras",
        .summary = "the baseline SVD of FedRAS's table 1 at CR 93.75 %",
        .source = "Lu et al. 2025 (FedRAS), section 5.1"},
    .settings =
        (const char *const[][2]){
            FRS_FEDRAS_TRAINING,
            {"codec.uplink.name", "svd"},
            {"codec.uplink.rank", "2"},
            {"codec.downlink.name", "svd"},
            {"codec.downlink.rank", "2"},
            FRS_FEDRAS_ROUNDS,
            {NULL, NULL},
        },
};
