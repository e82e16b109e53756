/* Links of 4G phones. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_4g = {
    .plugin = {.name = "4g",
        .summary = "13 Mbit/s down and 6 Mbit/s up in the middle of all messages, 30 ms, jitter",
        .source = "Medians: Huang et al. 2012, A Close Examination of Performance and Power Characteristics "
                  "of 4G LTE Networks, 13 and 6 Mbit/s over all tests, times exp(jitter^2/2), because a "
                  "client's capacity is the mean of what its messages find; latency: half of the 58 to 70 "
                  "ms round trip Opensignal reports for four US operators in 2019. Jitters: single chunks "
                  "of video within 84 sessions at one place each (Lumos, INFOCOM 2022), seconds apart, of "
                  "what grows with their bytes and of the rest; rounds are further apart, so at least "
                  "these. Spreads (sigma) assumed; correlation assumed, that of FLASH's Wi-Fi phones. Speed "
                  "tests of an app: payload_share 1."},
    .settings =
        (const char *const[][2]){
            {"network.radio", "lte"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.jitter", "0.47"},
            {"network.latency_jitter", "0.52"},
            {"network.downlink.distribution", "lognormal"},
            {"network.downlink.median", "14.5 Mbit/s"},
            {"network.downlink.sigma", "0.8"},
            {"network.uplink.distribution", "lognormal"},
            {"network.uplink.median", "6.7 Mbit/s"},
            {"network.uplink.sigma", "0.8"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "30 ms"},
            {"network.latency.sigma", "0.3"},
            {NULL, NULL},
        },
};
