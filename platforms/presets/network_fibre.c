/* Links of homes with fibre. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_fibre = {
    .plugin = {.name = "fibre",
        .summary = "216 Mbit/s down and 115 Mbit/s up in the middle of all messages, 5 ms, little jitter",
        .source =
            "Down: median of fixed broadband in Chile, the fastest country of Ookla's Speedtest "
            "Global Index of November 2022, taken for fibre; up: the ratio 45.74 to 85.73 of the "
            "global means of September 2020; latency: half of the 10 ms round trip of fixed "
            "broadband, November 2022. Spreads (sigma) and both jitters assumed; correlation assumed, that "
            "of FLASH's Wi-Fi phones. Speed tests: payload_share 1."},
    .settings =
        (const char *const[][2]){
            {"network.radio", "fixed"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.jitter", "0.1"},
            {"network.latency_jitter", "0.1"},
            {"network.downlink.distribution", "lognormal"},
            {"network.downlink.median", "216 Mbit/s"},
            {"network.downlink.sigma", "0.5"},
            {"network.uplink.distribution", "lognormal"},
            {"network.uplink.median", "115 Mbit/s"},
            {"network.uplink.sigma", "0.5"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "5 ms"},
            {"network.latency.sigma", "0.3"},
            {NULL, NULL},
        },
};
