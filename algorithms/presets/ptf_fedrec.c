/* PTF-FedRec under the settings of its published code. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_ptf_fedrec = {
    .plugin = {.name = "ptf_fedrec",
        .summary = "PTF-FedRec: scores of a few items both ways, a LightGCN at the server",
        .source = "Yuan et al. 2024 (ICDE), arXiv:2311.14968, and its published code"},
    .settings =
        (const char *const[][2]){
            {"method.name", "ptf_fedrec"},
            {"codec.uplink.name", "touched_rows"},
            {"rounds.count", "20"},
            {"rounds.cohort", "100 %"},
            {NULL},
        },
};
