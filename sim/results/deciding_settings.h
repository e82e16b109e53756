/* Deciding settings: defaults that the scenario leaves as they are and that make much of a run's time or
 * bytes, and time in which clients could not be reached. */
#ifndef FRS_RESULTS_DECIDING_SETTINGS_H
#define FRS_RESULTS_DECIDING_SETTINGS_H

#include "sim/results/outputs.h"

#include <jansson.h>
#include <stdio.h>

/* Adds `decided_by`, a list of those that make more than a tenth of the run's time or of its bytes, the
 * largest first; nothing where there is none. */
void frs_deciding_settings_set(json_t *root, const struct frs_outputs *outputs);

/* Prints them, a sentence on each line. */
void frs_deciding_settings_print(const struct frs_outputs *outputs, FILE *out);

#endif
