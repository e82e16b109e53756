/* Logs of a time and a rate in each line. */
#ifndef FRS_PLATFORMS_IMPORTS_SECONDS_AND_RATES_H
#define FRS_PLATFORMS_IMPORTS_SECONDS_AND_RATES_H

#include "platforms/imports/import.h"

/* Reads lines "seconds Mbit/s", in which a rate holds from the time of the line before until its own, as the
 * simulators of such logs play them; the first line says when the log begins. Times count from there. */
bool frs_import_seconds_and_rates(struct frs_import *import);

#endif
