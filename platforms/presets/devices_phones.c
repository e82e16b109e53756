/* Devices: a mix of slow, middle and fast phones. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_devices_phones = {
    .plugin = {.name = "phones",
        .summary = "phones of three classes: 40 % low, 40 % middle, 20 % high",
        .source =
            "Shares assumed; classes: presets phone-low, phone-mid and phone-high. The limit of the fastest "
            "tenth is 9.5 times the speed of the slowest tenth's; in FedScale's CDF of inference times 8.3"},
    .settings =
        (const char *const[][2]){
            {"devices.compute", "flops"},
            {"devices.classes", "phone-low 40 %, phone-mid 40 %, phone-high 20 %"},
            {"devices.speed.distribution", "by_class"},
            {NULL, NULL},
        },
};
