/* Deciding settings: defaults that the scenario does not set and that account for much of a run's time or
 * bytes, time in which clients could not be reached, and defaults that decide who is missing. */
#ifndef FRS_RESULTS_DECIDING_SETTINGS_H
#define FRS_RESULTS_DECIDING_SETTINGS_H

#include "sim/results/outputs.h"

#include <jansson.h>
#include <stdio.h>

/* Adds `decided_by`, a list of the settings that account for more than a tenth of the run's time or bytes,
 * the largest first, and those without a share that decide who is missing. Adds nothing where there are
 * none. */
void frs_deciding_settings_set(json_t *root, const struct frs_outputs *outputs);

/* Prints them, a sentence on each line. */
void frs_deciding_settings_print(const struct frs_outputs *outputs, FILE *out);

#endif
