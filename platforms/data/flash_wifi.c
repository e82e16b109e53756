/* Wi-Fi speed of 19 phones, kB/s, sorted.
 *
 * FLASH (Yang et al. 2021), file models/speed_distri.json of PKU-Chengxu/FLASH (BSD-2-Clause, a fork of
 * LEAF): mean of each device's repeated measurements; its code takes the unit for kB/s. Accuracy: as printed
 * there; with 19 devices a quartile is uncertain by about a third. */
#include "platforms/data/tables.h"

static const double down_kb_per_s[] = {
    2370.2,
    3176.8,
    3297.7,
    3472.7,
    3658.1,
    3778.5,
    4054.8,
    4208.7,
    4283.6,
    4317.6,
    4668.4,
    5125.0,
    6708.1,
    7214.1,
    7271.3,
    7491.4,
    8885.5,
    9913.0,
    17332.7,
};

static const double up_kb_per_s[] = {
    431.0,
    664.6,
    2336.6,
    2546.9,
    2631.6,
    2774.2,
    2974.5,
    3006.2,
    3205.5,
    3285.7,
    3641.6,
    3729.8,
    4039.7,
    4935.2,
    5140.6,
    5641.5,
    5742.5,
    6278.6,
    6635.4,
};

const struct frs_table frs_table_flash_wifi_down = {.name = "flash-wifi-down",
    .source = "FLASH models/speed_distri.json, 19 phones",
    .dimension = FRS_RATE,
    .unit = 1000,
    .values = down_kb_per_s,
    .n = sizeof down_kb_per_s / sizeof *down_kb_per_s};

const struct frs_table frs_table_flash_wifi_up = {.name = "flash-wifi-up",
    .source = "FLASH models/speed_distri.json, 19 phones",
    .dimension = FRS_RATE,
    .unit = 1000,
    .values = up_kb_per_s,
    .n = sizeof up_kb_per_s / sizeof *up_kb_per_s};
