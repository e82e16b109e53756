/* Links of 4G phones. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_4g = {
    .plugin = {.name = "4g",
        .summary = "13 Mbit/s down and 6 Mbit/s up in the middle, 30 ms",
        .source = "Medians: Huang et al. 2012, A Close Examination of Performance and Power Characteristics "
                  "of 4G LTE Networks; latency: half of the 58 to 70 ms round trip Opensignal reports for "
                  "four US operators in 2019. Spreads (sigma) assumed; correlation assumed, that of FLASH's "
                  "Wi-Fi phones. Speed tests of an app: payload_share 1."},
    .settings =
        (const char *const[][2]){
            {"network.radio", "lte"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.downlink.distribution", "lognormal"},
            {"network.downlink.median", "13 Mbit/s"},
            {"network.downlink.sigma", "0.8"},
            {"network.uplink.distribution", "lognormal"},
            {"network.uplink.median", "6 Mbit/s"},
            {"network.uplink.sigma", "0.8"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "30 ms"},
            {"network.latency.sigma", "0.3"},
            {NULL, NULL},
        },
};
