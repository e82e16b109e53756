#include "sim/presets/presets.h"

const struct frs_preset frs_method_jointrec = {
    .plugin = {.name = "jointrec",
        .summary = "uploads as JointRec compresses them, SVD of rank 2 with factors of 8 bits; training as "
                   "in FedRAS's table 1",
        .source = "JointRec, as Lu et al. 2025 (FedRAS), section 2, describe it"},
    .settings =
        (const char *const[][2]){
            {"method.name", "fedmf_update"},
            {"method.dim", "32"},
            {"method.epochs", "2"},
            {"method.batch", "256"},
            {"method.optimiser", "sgd"},
            {"method.learning_rate", "0.5"},
            {"method.sgd_scaling", "row_mean"},
            {"method.weight_decay", "5e-4"},
            {"method.aggregation", "per_item"},
            {"method.catchup", "ideal"},
            {"codec.uplink.name", "svd_quantised"},
            {"codec.uplink.rank", "2"},
            {"codec.downlink.name", "dense"},
            {"rounds.count", "500"},
            {"rounds.cohort", "10 %"},
            {NULL, NULL},
        },
};
