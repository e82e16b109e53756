/* Links without limits, as papers assume that leave the network out. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_ideal = {
    .plugin = {.name = "ideal",
        .summary = "1 TB/s both ways for every client, no latency: what the papers assume",
        .source = "assumed; payload_share 1 and no jitter: assumed, too"},
    .settings =
        (const char *const[][2]){
            {"network.payload_share", "1"},
            {"network.jitter", "0"},
            {"network.latency_jitter", "0"},
            {"network.downlink.distribution", "constant"},
            {"network.downlink.value", "1 TB/s"},
            {"network.uplink.distribution", "constant"},
            {"network.uplink.value", "1 TB/s"},
            {"network.latency.distribution", "constant"},
            {"network.latency.value", "0 s"},
            {NULL, NULL},
        },
};
