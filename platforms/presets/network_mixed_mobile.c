/* Links: a mix of phones on 3G, 4G, 5G and Wi-Fi. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_mixed_mobile = {
    .plugin = {.name = "mixed-mobile",
        .summary = "phones on 3G (10 %), 4G (40 %), 5G (10 %) and Wi-Fi (40 %), up and down correlated, "
                   "jitter by class",
        .source = "Shares assumed; classes: presets 3g, 4g, 5g and wifi, jitter included, whose "
                  "sources are of 2016, 2012, 2021 and 2021: no population of one year has links like "
                  "that. Correlation within a class that of FLASH's Wi-Fi phones. All four from speed "
                  "tests: payload_share 1"},
    .settings =
        (const char *const[][2]){
            {"network.payload_share", "1"},
            {"network.classes", "3g 10 %, 4g 40 %, 5g 10 %, wifi 40 %"},
            {"network.correlation", "0.75"},
            {"network.downlink.distribution", "by_class"},
            {"network.uplink.distribution", "by_class"},
            {"network.latency.distribution", "by_class"},
            {NULL, NULL},
        },
};
