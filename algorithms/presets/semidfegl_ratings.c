/* SemiDFEGL over ratings, with the layers of its groups carried by the server. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_semidfegl_ratings = {
    .plugin = {.name = "semidfegl_ratings",
        .summary = "SemiDFEGL over ratings: stars of own items connected by items in common; the server "
                   "carries layers",
        .source = "after Qu et al. 2023 (WWW), arXiv:2302.10900, from descriptions"},
    .settings =
        (const char *const[][2]){
            {"method.name", "semidfegl_ratings"},
            {"codec.uplink.name", "touched_rows"},
            {"data.feedback", "explicit"},
            {"data.split", "ratio"},
            {"rounds.count", "50"},
            {"rounds.cohort", "100 %"},
            {NULL, NULL},
        },
};
