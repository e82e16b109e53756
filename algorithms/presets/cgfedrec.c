/* CGFedRec under the settings of its published code. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_cgfedrec = {
    .plugin = {.name = "cgfedrec",
        .summary = "CGFedRec: a table up, 60 clusters of items down, all items as anchors",
        .source = "Tu et al. 2026 (CGFedRec), arXiv:2602.21957, and its published code"},
    .settings =
        (const char *const[][2]){
            {"method.name", "cgfedrec"},
            {"method.anchors", "0"},
            {"codec.downlink.name", "binary"},
            {"rounds.count", "100"},
            {"rounds.cohort", "100 %"},
            {NULL},
        },
};
