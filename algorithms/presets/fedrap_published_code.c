/* FedRAP as its published code runs it. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_fedrap_published_code = {
    .plugin = {.name = "fedrap_published_code",
        .summary = "FedRAP as its published code runs it, at lambda 0.01 (its default of 0.1 diverges)",
        .source = "Li et al. 2024 (FedRAP), published code"},
    .settings =
        (const char *const[][2]){
            {"method.name", "fedrap"},
            {"method.variant", "published_code"},
            {"method.lambda", "0.01"},
            {"method.dim", "32"},
            {"method.epochs", "10"},
            {"method.batch", "2048"},
            {"data.min_interactions", "10"},
            {"rounds.count", "100"},
            {"rounds.cohort", "100 %"},
            {NULL, NULL},
        },
};
