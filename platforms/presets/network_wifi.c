/* Links over Wi-Fi. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_wifi = {
    .plugin = {.name = "wifi",
        .summary = "35 Mbit/s down and 26 Mbit/s up in the middle, 8 ms, jitter",
        .source = "Medians, correlation and jitter: the 19 phones of FLASH (Yang et al. 2021), means of each "
                  "phone and the variation between its own tests. Spread (sigma) of downlinks: between 0.48 "
                  "of these phones, whose slowest has 19 Mbit/s, and 1.04 of Lumos' sessions, a quarter of "
                  "which are in places chosen for a weak signal: the root of their mean square; FLASH's "
                  "0.70 of uplinks taken to be as wide as downlinks: assumed. Latency: 5 ms of fixed access "
                  "(half of Ookla's 10 ms round trip, November 2022) and 3 ms of Wi-Fi, assumed; its jitter "
                  "that of lumos-wifi. Speed tests of an app: payload_share 1"},
    .settings =
        (const char *const[][2]){
            {"network.radio", "wifi"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.jitter", "0.37"},
            {"network.latency_jitter", "0.18"},
            {"network.downlink.distribution", "lognormal"},
            {"network.downlink.median", "34.5 Mbit/s"},
            {"network.downlink.sigma", "0.8"},
            {"network.uplink.distribution", "lognormal"},
            {"network.uplink.median", "26.3 Mbit/s"},
            {"network.uplink.sigma", "0.8"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "8 ms"},
            {"network.latency.sigma", "0.5"},
            {NULL, NULL},
        },
};
