/* Devices as FedScale measured them. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_devices_fedscale = {
    .plugin = {.name = "fedscale",
        .summary = "measured time per sample of 500,000 mobile devices, 122 ms in the middle",
        .source = "FedScale (Lai et al. 2022), client_device_capacity, read off a figure to 2 %: inference "
                  "times of a vision model; training takes 3 times as long (client_metadata.py). A "
                  "recommender's sample is far cheaper: only the spread carries over"},
    .settings =
        (const char *const[][2]){
            {"devices.compute", "per_sample"},
            {"devices.per_sample.distribution", "empirical"},
            {"devices.per_sample.table", "fedscale-compute"},
            {"devices.slowdown", "3"},
            {"devices.speed.distribution", "by_class"}, /* not used */
            {NULL, NULL},
        },
};
