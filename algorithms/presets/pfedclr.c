/* PFedCLR as in its tables. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_pfedclr = {
    .plugin = {.name = "pfedclr",
        .summary = "PFedCLR as in its tables: d 16, r 2, E 10, B 256, Adam 0.01, 60 % of clients, 100 rounds",
        .source = "PFedCLR, section 5.1"},
    .settings =
        (const char *const[][2]){
            {"method.name", "pfedclr"},
            {"method.dim", "16"},
            {"method.rank", "2"},
            {"method.epochs", "10"},
            {"method.batch", "256"},
            {"method.learning_rate", "0.01"},
            {"method.calibration_rate", "-1"},
            {"data.min_interactions", "10"},
            {"rounds.count", "100"},
            {"rounds.cohort", "60 %"},
            {NULL, NULL},
        },
};
