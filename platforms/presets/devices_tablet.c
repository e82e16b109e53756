/* Devices: tablets. */
#include "platforms/presets/presets.h"

/* Effective speeds for these kernels (SGD and Adam on small float32 matrices, limited by memory), not peak
 * speeds.
 *
 * Reference: one core of an AVX-512 server (2.5 GHz, 64 flop per cycle: 160 Gflop/s at its peak) runs
 * FedMF's kernels at 30 to 35 Gflop/s of counted flops, a fifth of its peak, and CoLR's at 6. A client's
 * own code is assumed to reach a tenth of the peak of one core that reorders instructions, and a twentieth
 * of one that does not. Here: 2.4 GHz, 8 to 16 flop per cycle, out of order: 19 to 38 Gflop/s at its peak,
 * a tenth is about 2.5. The Field Guide's client is 7 times slower than its server, which is 4 to 5
 * Gflop/s here. */
const struct frs_preset frs_devices_tablet = {
    .plugin = {.name = "tablet",
        .summary = "a tablet, 2.5 Gflop/s",
        .source = "Speed derived in the comment of the source file; spread, memory and computing power "
                  "assumed"},
    .settings =
        (const char *const[][2]){
            {"devices.compute", "flops"},
            {"devices.speed.distribution", "lognormal"},
            {"devices.speed.median", "2.5 Gflop/s"},
            {"devices.speed.sigma", "0.25"},
            {"devices.memory.distribution", "constant"},
            {"devices.memory.value", "512 MiB"},
            {"devices.power_compute", "4 W"},
            {NULL, NULL},
        },
};
