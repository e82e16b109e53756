/* Devices as the Field Guide to Federated Optimization models them. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_devices_fieldguide = {
    .plugin = {.name = "fieldguide",
        .summary = "7 times slower than a server core, and 10 s of overhead per participation",
        .source =
            "Wang et al. 2021, A Field Guide to Federated Optimization, section 4.3 (R_comp 7, C_comp 10 s); "
            "20 Gflop/s for a server core running these kernels: assumed, of the order tests/bench measures"},
    .settings =
        (const char *const[][2]){
            {"devices.compute", "flops"},
            {"devices.speed.distribution", "constant"},
            {"devices.speed.value", "20 Gflop/s"},
            {"devices.slowdown", "7"},
            {"devices.overhead", "10 s"},
            {NULL, NULL},
        },
};
