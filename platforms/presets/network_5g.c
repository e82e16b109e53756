/* Links of 5G phones. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_5g = {
    .plugin = {.name = "5g",
        .summary = "166 Mbit/s down and 21 Mbit/s up in the middle of all messages, 14 ms, jitter",
        .source = "Global medians over 5G: Ookla, Growing and Slowing: The State of 5G Worldwide in 2021 "
                  "(Q3 2021: 166.13 and 21.08 Mbit/s), times exp(jitter^2/2), because a client's capacity is "
                  "the mean of what its messages find; latency: half of the 28 ms round trip of all mobile "
                  "tests, Ookla, November 2022. Spreads (sigma) assumed; correlation assumed, that of "
                  "FLASH's Wi-Fi phones; both jitters assumed, those of 4g. Speed tests: payload_share 1."},
    .settings =
        (const char *const[][2]){
            {"network.radio", "5g"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.jitter", "0.47"},
            {"network.latency_jitter", "0.52"},
            {"network.downlink.distribution", "lognormal"},
            {"network.downlink.median", "185 Mbit/s"},
            {"network.downlink.sigma", "0.8"},
            {"network.uplink.distribution", "lognormal"},
            {"network.uplink.median", "23.5 Mbit/s"},
            {"network.uplink.sigma", "0.8"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "14 ms"},
            {"network.latency.sigma", "0.3"},
            {NULL, NULL},
        },
};
