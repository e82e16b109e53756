/* What caps did in a run: `caps` of summary.json, and a line. */
#ifndef FRS_RESULTS_REPORT_CAPS_REPORT_H
#define FRS_RESULTS_REPORT_CAPS_REPORT_H

#include "sim/results/outputs.h"

#include <jansson.h>

/* Nothing where there are no caps. */
void frs_caps_set(json_t *root, const struct frs_outputs *outputs);

/* "held 12 of 200 clients back, in 3 rounds for want of others; no client was above them"; freed by the
 * caller. NULL: there are no caps. */
char *frs_caps_line(const struct frs_outputs *outputs);

#endif
