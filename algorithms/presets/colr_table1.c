/* CoLR as its published code runs it. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_colr_table1 = {
    .plugin = {.name = "colr_table1",
        .summary = "CoLR as its published code runs it: d 64, rank 4, E 2, B 256, 60 clients in turn, 1000 "
                   "rounds",
        .source = "Nguyen et al. 2024 (CoLR), section 5.1, and its published code"},
    .settings =
        (const char *const[][2]){
            {"method.name", "colr"},
            {"method.rank", "4"},
            {"method.variant", "published_code"},
            {"method.dim", "64"},
            {"method.epochs", "2"},
            {"method.batch", "256"},
            {"method.optimiser", "sgd"},
            {"method.learning_rate", "0.5"},
            {"method.weight_decay", "5e-4"},
            {"method.catchup", "ideal"},
            {"data.min_interactions", "20"},
            {"data.validation", "train"},
            {"rounds.selection.name", "round_robin"},
            {"rounds.count", "1000"},
            {"rounds.cohort", "60"},
            {NULL, NULL},
        },
};
