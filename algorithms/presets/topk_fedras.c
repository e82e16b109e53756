/* The baseline TopK of FedRAS's table 1. */
#include "algorithms/presets/fedras.h"
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_topk_fedras = {
    .plugin = {.name = "topk_fedras",
        .summary = "the baseline TopK of FedRAS's table 1 at CR 93.75 %: 2 entries of every row",
        .source = "Lu et al. 2025 (FedRAS), section 5.1"},
    .settings =
        (const char *const[][2]){
            FRS_FEDRAS_TRAINING,
            {"codec.uplink.name", "topk"},
            {"codec.uplink.k", "2"},
            {"codec.downlink.name", "topk"},
            {"codec.downlink.k", "2"},
            FRS_FEDRAS_ROUNDS,
            {NULL, NULL},
        },
};
