/* Oboe's logs of bandwidth (Akhtar et al. 2018, in the form of Pensieve's in which they circulate). */
#include "platforms/imports/seconds_and_rates.h"

const struct frs_import_kind frs_import_oboe = {
    .name = "oboe",
    .summary = "bandwidth of video players: seconds and Mbit/s",
    .layout = "Oboe: lines of a time in s and a rate in Mbit/s, which holds since the line before",
    .target = FRS_IMPORT_TRACE,
    .read = frs_import_seconds_and_rates,
};
