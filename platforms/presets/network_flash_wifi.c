/* Links of FLASH's phones on Wi-Fi. */
#include "platforms/presets/presets.h"

const struct frs_preset frs_network_flash_wifi = {
    .plugin = {.name = "flash-wifi",
        .summary = "measured Wi-Fi speeds of 19 phones, 35 Mbit/s down and 26 up in the middle, jitter",
        .source = "FLASH (Yang et al. 2021), models/speed_distri.json: means of 19 phones; correlation from "
                  "their rank correlation of 0.74; jitter from the median coefficient of variation within a "
                  "phone, 0.38. Latency assumed; its jitter that of lumos-wifi. Speed tests of an app: "
                  "payload_share 1"},
    .settings =
        (const char *const[][2]){
            {"network.radio", "wifi"},
            {"network.payload_share", "1"},
            {"network.correlation", "0.75"},
            {"network.jitter", "0.37"},
            {"network.latency_jitter", "0.18"},
            {"network.downlink.distribution", "empirical"},
            {"network.downlink.table", "flash-wifi-down"},
            {"network.uplink.distribution", "empirical"},
            {"network.uplink.table", "flash-wifi-up"},
            {"network.latency.distribution", "constant"},
            {"network.latency.value", "8 ms"},
            {NULL, NULL},
        },
};
