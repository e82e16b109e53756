/* Devices that compute in no time. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_devices_ideal = {
    .plugin = {.name = "ideal", .summary = "computing takes no time", .source = "assumed"},
    .settings =
        (const char *const[][2]){
            {"devices.compute", "none"},
            {"devices.speed", "20 Gflop/s"}, /* not used */
            {NULL, NULL},
        },
};
