/* Devices: slow phones. */
#include "platforms/presets/presets.h"

/* Effective speeds for these kernels (SGD and Adam on small float32 matrices, limited by memory), not peak
 * speeds.
 *
 * Reference: one core of an AVX-512 server (2.5 GHz, 64 flop per cycle: 160 Gflop/s at its peak) runs
 * FedMF's kernels at 30 to 35 Gflop/s of counted flops, a fifth of its peak, and CoLR's at 6. A client's
 * own code is assumed to reach a tenth of the peak of one core that reorders instructions, and a twentieth
 * of one that does not. Here: 1.5 GHz, 8 flop per cycle, in order (Cortex-A53 class): 12 Gflop/s at its
 * peak, a twentieth is about 0.5. The Field Guide's client is 7 times slower than its server, which is 4
 * to 5 Gflop/s here. */
const struct frs_preset frs_devices_phone_low = {
    .plugin = {.name = "phone-low",
        .summary = "an entry-level phone, 0.5 Gflop/s",
        .source = "Speed derived in the comment of the source file; spread, memory and computing power "
                  "assumed"},
    .settings =
        (const char *const[][2]){
            {"devices.compute", "flops"},
            {"devices.speed.distribution", "lognormal"},
            {"devices.speed.median", "0.5 Gflop/s"},
            {"devices.speed.sigma", "0.25"},
            {"devices.memory.distribution", "constant"},
            {"devices.memory.value", "128 MiB"},
            {"devices.power_compute", "1.5 W"},
            {NULL, NULL},
        },
};
