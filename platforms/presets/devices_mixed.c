/* Devices: a mix of phones, tablets and computers. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_devices_mixed = {
    .plugin = {.name = "mixed",
        .summary = "phones, tablets and personal computers",
        .source = "Shares assumed; classes: presets phone-low, phone-mid, phone-high, tablet and pc"},
    .settings =
        (const char *const[][2]){
            {"devices.compute", "flops"},
            {"devices.classes", "phone-low 25 %, phone-mid 30 %, phone-high 15 %, tablet 10 %, pc 20 %"},
            {"devices.speed.distribution", "by_class"},
            {NULL, NULL},
        },
};
