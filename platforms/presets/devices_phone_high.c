/* Devices: fast phones. */
#include "platforms/presets/presets.h"

/* Effective speeds for these kernels (SGD and Adam on small float32 matrices, limited by memory), not peak
 * speeds.
 *
 * Reference: one core of an AVX-512 server (2.5 GHz, 64 flop per cycle: 160 Gflop/s at its peak) runs
 * FedMF's kernels at 30 to 35 Gflop/s of counted flops, a fifth of its peak, and CoLR's at 6. A client's
 * own code is assumed to reach a tenth of the peak of one core that reorders instructions, and a twentieth
 * of one that does not. Here: 2.8 GHz, 16 flop per cycle, out of order (Cortex-A76 class): 45 Gflop/s at
 * its peak, a tenth is about 4. The Field Guide's client is 7 times slower than its server, which is 4 to
 * 5 Gflop/s here. */
const struct frs_preset frs_devices_phone_high = {
    .plugin = {.name = "phone-high",
        .summary = "a flagship phone, 4 Gflop/s",
        .source = "Speed derived in the comment of the source file; spread, memory and computing power "
                  "assumed"},
    .settings =
        (const char *const[][2]){
            {"devices.compute", "flops"},
            {"devices.speed.distribution", "lognormal"},
            {"devices.speed.median", "4 Gflop/s"},
            {"devices.speed.sigma", "0.25"},
            {"devices.memory.distribution", "constant"},
            {"devices.memory.value", "512 MiB"},
            {"devices.power_compute", "3 W"},
            {NULL, NULL},
        },
};
