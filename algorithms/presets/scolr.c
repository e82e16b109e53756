/* SCoLR as in its table 4. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_scolr = {
    .plugin = {.name = "scolr",
        .summary = "SCoLR as in its table 4: d 64, ranks from 1 to 32 drawn anew every round, 60 clients, "
                   "1000 rounds",
        .source =
            "Nguyen et al. 2024 (CoLR), section 5.3; B without the factor sqrt(d/r) of CoLR's code is a rate "
            "of 0.5 * rank/dim for items: rank 8 needs 0.0625"},
    .settings =
        (const char *const[][2]){
            {"method.name", "scolr"},
            {"method.rank", "32"},
            {"method.dim", "64"},
            {"method.epochs", "2"},
            {"method.batch", "256"},
            {"method.optimiser", "sgd"},
            {"method.aggregation", "per_row"},
            {"method.learning_rate", "0.25"},
            {"method.user_learning_rate", "0.5"},
            {"method.weight_decay", "5e-4"},
            {"method.catchup", "ideal"},
            {"data.min_interactions", "20"},
            {"data.validation", "train"},
            {"adaptation.name", "uniform"},
            {"rounds.selection.name", "round_robin"},
            {"rounds.count", "1000"},
            {"rounds.cohort", "60"},
            {NULL, NULL},
        },
};
