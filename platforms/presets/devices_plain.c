/* Devices when a scenario says nothing about them. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_devices_plain = {
    .plugin = {.name = "plain",
        .summary = "2 Gflop/s for every client, no overhead",
        .source = "assumed: a tenth of a server core running these kernels"},
    .settings =
        (const char *const[][2]){
            {"devices.speed.distribution", "constant"},
            {"devices.speed.value", "2 Gflop/s"},
            {NULL, NULL},
        },
};
