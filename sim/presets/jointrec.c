#include "sim/presets/fedras.h"
#include "sim/presets/presets.h"

const struct frs_preset frs_method_jointrec = {
    .plugin = {.name = "jointrec",
        .summary = "uploads as JointRec compresses them, SVD of rank 2 with factors of 8 bits; training as "
                   "in FedRAS's table 1",
        .source = "JointRec, as Lu et al. 2025 (FedRAS), section 2, describe it"},
    .settings =
        (const char *const[][2]){
            FRS_FEDRAS_TRAINING,
            {"codec.uplink.name", "svd_quantised"},
            {"codec.uplink.rank", "2"},
            {"codec.downlink.name", "dense"},
            FRS_FEDRAS_ROUNDS,
            {NULL, NULL},
        },
};
