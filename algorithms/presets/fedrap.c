/* FedRAP as printed. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_fedrap = {
    .plugin = {.name = "fedrap",
        .summary = "FedRAP as printed, with initial values under which it works: k 32, E 10, B 2048, all "
                   "clients, 100 rounds",
        .source = "Li et al. 2024 (FedRAP), section 4 and appendix"},
    .settings =
        (const char *const[][2]){
            {"method.name", "fedrap"},
            {"method.variant", "paper"},
            {"method.dim", "32"},
            {"method.epochs", "10"},
            {"method.batch", "2048"},
            {"data.min_interactions", "10"},
            {"rounds.count", "100"},
            {"rounds.cohort", "100 %"},
            {NULL, NULL},
        },
};
