/* LightFR under its own settings, a pass of the server in one exchange. */
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_lightfr = {
    .plugin = {.name = "lightfr",
        .summary = "LightFR: codes of 64 bits, which go down as bits; sums of the rated items' bits go up",
        .source = "Zhang et al. 2023 (LightFR), arXiv:2206.11743"},
    .settings =
        (const char *const[][2]){
            {"method.name", "lightfr"},
            {"method.bits", "64"},
            {"method.lambda", "0.6"},
            {"codec.uplink.name", "touched_rows"},
            {"codec.downlink.name", "binary"},
            {"data.feedback", "explicit"},
            {"data.split", "ratio"},
            {"rounds.count", "50"},
            {"rounds.cohort", "60 %"},
            {NULL, NULL},
        },
};
