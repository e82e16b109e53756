/* Links as FedScale measured them. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_fedscale = {
    .plugin = {.name = "fedscale",
        .summary = "measured bandwidths of 500,000 mobile clients, 6.1 Mbit/s in the middle, 30 ms, jitter",
        .source = "FedScale (Lai et al. 2022), client_device_capacity, read off a figure to 5 % (tails 10 "
                  "%); a client has one bandwidth there, used for both directions (client_metadata.py), so "
                  "up is down. Measured by an app (MobiPerf): payload_share 1. FedScale has neither "
                  "latency nor what varies within a client: latency and both jitters of preset 4g, assumed"},
    .settings =
        (const char *const[][2]){
            {"network.radio", "lte"},
            {"network.payload_share", "1"},
            {"network.correlation", "1"},
            {"network.jitter", "0.47"},
            {"network.latency_jitter", "0.52"},
            {"network.downlink.distribution", "empirical"},
            {"network.downlink.table", "fedscale-bandwidth"},
            {"network.uplink.distribution", "empirical"},
            {"network.uplink.table", "fedscale-bandwidth"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "30 ms"},
            {"network.latency.sigma", "0.3"},
            {NULL, NULL},
        },
};
