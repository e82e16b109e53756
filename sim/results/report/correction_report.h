/* What a correction of the aggregate kept in a run: `correction` of summary.json. */
#ifndef FRS_RESULTS_REPORT_CORRECTION_REPORT_H
#define FRS_RESULTS_REPORT_CORRECTION_REPORT_H

#include "sim/results/outputs.h"

#include <jansson.h>

/* Nothing where there is no correction. */
void frs_correction_set(json_t *root, const struct frs_outputs *outputs);

#endif
