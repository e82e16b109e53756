/* Links of 3G phones. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_3g = {
    .plugin = {.name = "3g",
        .summary = "3 Mbit/s down and 1 Mbit/s up in the middle, 75 ms, jitter",
        .source = "Down: OpenSignal, State of Mobile Networks: USA, August 2016, 3G averages of 3.0 "
                  "and 4.6 Mbit/s of two operators, the lower of which, a mean, is taken for the "
                  "median; the two others of the report, Verizon and Sprint over CDMA, have less than "
                  "1 Mbit/s and are left out. Latency: half of the 150 ms round trip OpenSignal "
                  "reports for HSPA. Up assumed a third of down. Spreads (sigma) assumed; correlation "
                  "assumed, that of FLASH's Wi-Fi phones; both jitters assumed, those of 4g. Speed "
                  "tests of an app: payload_share 1."},
    .settings =
        (const char *const[][2]){
            {"network.radio", "3g"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.jitter", "0.47"},
            {"network.latency_jitter", "0.52"},
            {"network.downlink.distribution", "lognormal"},
            {"network.downlink.median", "3 Mbit/s"},
            {"network.downlink.sigma", "0.8"},
            {"network.uplink.distribution", "lognormal"},
            {"network.uplink.median", "1 Mbit/s"},
            {"network.uplink.sigma", "0.8"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "75 ms"},
            {"network.latency.sigma", "0.4"},
            {NULL, NULL},
        },
};
