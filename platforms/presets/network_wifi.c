/* Links over Wi-Fi. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_wifi = {
    .plugin = {.name = "wifi",
        .summary = "35 Mbit/s down and 26 Mbit/s up in the middle, 8 ms",
        .source = "Medians, spreads and correlation: the 19 phones of FLASH (Yang et al. 2021), without "
                  "their jitter. Latency: 5 ms of fixed access (half of Ookla's 10 ms round trip, November "
                  "2022) and 3 ms of Wi-Fi, assumed. Speed tests of an app: payload_share 1"},
    .settings =
        (const char *const[][2]){
            {"network.radio", "wifi"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.downlink.distribution", "lognormal"},
            {"network.downlink.median", "34.5 Mbit/s"},
            {"network.downlink.sigma", "0.48"},
            {"network.uplink.distribution", "lognormal"},
            {"network.uplink.median", "26.3 Mbit/s"},
            {"network.uplink.sigma", "0.70"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "8 ms"},
            {"network.latency.sigma", "0.5"},
            {NULL, NULL},
        },
};
