/* PFedRec as published. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_pfedrec = {
    .plugin = {.name = "pfedrec",
        .summary = "PFedRec as published: d 16, E 1, head at rate 0.1, all clients, 100 rounds",
        .source = "Zhang et al. 2023 and its published code"},
    .settings =
        (const char *const[][2]){
            {"method.name", "pfedrec"},
            {"method.dim", "16"},
            {"method.epochs", "1"},
            {"method.batch", "256"},
            {"method.learning_rate", "0.1"},
            {"data.min_interactions", "10"},
            {"rounds.count", "100"},
            {"rounds.cohort", "100 %"},
            {NULL, NULL},
        },
};
