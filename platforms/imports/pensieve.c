/* Pensieve's logs of bandwidth (Mao et al. 2017). */
#include "platforms/imports/seconds_and_rates.h"

const struct frs_import_kind frs_import_pensieve = {
    .name = "pensieve",
    .summary = "bandwidth of video players: seconds and Mbit/s",
    .layout = "Pensieve: lines of a time in s and a rate in Mbit/s, which holds since the line before",
    .n_numbers = 2,
    .target = FRS_IMPORT_TRACE,
    .read = frs_import_seconds_and_rates,
};
