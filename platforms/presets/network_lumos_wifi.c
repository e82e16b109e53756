/* Links of Lumos' sessions over Wi-Fi. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_lumos_wifi = {
    .plugin = {.name = "lumos-wifi",
        .summary = "measured capacities of 182 sessions over Wi-Fi, 49 Mbit/s down, 37 up in the middle, 8 "
                   "ms, jitter",
        .source = "Lumos (Lv et al., INFOCOM 2022): chunks of video, mostly of .1 to 3 MB, in 182 "
                  "sessions over Wi-Fi, each at one place chosen for a strong, medium or weak signal "
                  "(24 % weak): places of an experiment, and not a share of any population. The upper "
                  "third is at a line of 100 Mbit/s, not at what the radio could. Down: the capacity "
                  "of a session, what its chunks take beyond their bytes left out; jitters: of single "
                  "chunks within a session, of what grows with their bytes and of the rest. Up: "
                  "nothing was measured; down times 26.3 to 34.5 of FLASH's phones, assumed; "
                  "correlation assumed, that of FLASH's Wi-Fi phones. Latency and its spread: those "
                  "of wifi, with which tcp takes for chunks of all sizes about what was measured. "
                  "Rates that an app sees: payload_share 1"},
    .settings =
        (const char *const[][2]){
            {"network.radio", "wifi"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.jitter", "0.24"},
            {"network.latency_jitter", "0.18"},
            {"network.downlink.distribution", "empirical"},
            {"network.downlink.table", "lumos-wifi-down"},
            {"network.uplink.distribution", "empirical"},
            {"network.uplink.table", "lumos-wifi-up"},
            {"network.latency.distribution", "lognormal"},
            {"network.latency.median", "8 ms"},
            {"network.latency.sigma", "0.5"},
            {NULL, NULL},
        },
};
