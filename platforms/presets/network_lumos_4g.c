/* Links of Lumos' sessions over 4G. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_lumos_4g = {
    .plugin = {.name = "lumos-4g",
        .summary =
            "measured capacities of 84 sessions over 4G, 11 Mbit/s down, 5.1 up in the middle, 30 ms, jitter",
        .source = "Lumos (Lv et al., INFOCOM 2022): chunks of video, mostly of .1 to 3 MB, in 84 "
                  "sessions over 4G, each at one place chosen for a strong, medium or weak signal (42 "
                  "% weak): places of an experiment, and not a share of any population. Down: the "
                  "capacity of a session, what its chunks take beyond their bytes left out; jitters: "
                  "of single chunks within a session, of what grows with their bytes and of the rest. "
                  "Up: nothing was measured; down times 6 to 13 of 4g's medians, assumed; correlation "
                  "assumed, that of FLASH's Wi-Fi phones. Latency and its spread: those of 4g, with "
                  "which tcp takes for chunks of all sizes about what was measured. Rates that an app "
                  "sees: payload_share 1"},
    .settings =
        (const char *const[][2]){
            {"network.radio", "lte"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.jitter", "0.47"},
            {"network.latency_jitter", "0.52"},
            {"network.downlink.distribution", "empirical"},
            {"network.downlink.table", "lumos-4g-down"},
            {"network.uplink.distribution", "empirical"},
            {"network.uplink.table", "lumos-4g-up"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "30 ms"},
            {"network.latency.sigma", "0.3"},
            {NULL, NULL},
        },
};
