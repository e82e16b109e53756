/* Links as the Field Guide to Federated Optimization assumes them; the default. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_fieldguide = {
    .plugin = {.name = "fieldguide",
        .summary = "0.75 MiB/s down and 0.25 MiB/s up for every client, no latency",
        .source = "Wang et al. 2021, A Field Guide to Federated Optimization, section 4.3; as used in CoLR's "
                  "table 2. Taken for what clients get of a message: payload_share 1, assumed; every message "
                  "finds the same: no jitter"},
    .settings =
        (const char *const[][2]){
            {"network.payload_share", "1"},
            {"network.jitter", "0"},
            {"network.latency_jitter", "0"},
            {"network.downlink.distribution", "constant"},
            {"network.downlink.value", "0.75 MiB/s"},
            {"network.uplink.distribution", "constant"},
            {"network.uplink.value", "0.25 MiB/s"},
            {"network.latency.distribution", "constant"},
            {"network.latency.value", "0 s"},
            {NULL, NULL},
        },
};
