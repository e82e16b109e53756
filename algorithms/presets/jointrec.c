/* JointRec as in FedRAS's tables. */
#include "algorithms/presets/fedras.h"
#include "algorithms/presets/presets.h"

#include <stddef.h>

const struct frs_preset frs_method_jointrec = {
    .plugin = {.name = "jointrec",
        .summary = "JointRec as in FedRAS's tables at CR 93.75 %: SVD of rank 8 with factors of 8 bits, both "
                   "ways",
        .source =
            "JointRec, as Lu et al. 2025 (FedRAS), section 2 and appendix, describe it; ranks 12 and 4 are "
            "CR 90.63 and 96.88 %"},
    .settings =
        (const char *const[][2]){
            FRS_FEDRAS_TRAINING,
            {"codec.uplink.name", "svd_quantised"},
            {"codec.uplink.rank", "8"},
            {"codec.downlink.name", "svd_quantised"},
            {"codec.downlink.rank", "8"},
            FRS_FEDRAS_ROUNDS,
            {NULL, NULL},
        },
};
