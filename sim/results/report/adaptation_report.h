/* Adaptation report: which clients were assigned which budgets, and the outcomes of all assigned budgets,
 * including those whose upload did not arrive (docs/server-decisions.md, "What the server decides"). */
#ifndef FRS_RESULTS_REPORT_ADAPTATION_REPORT_H
#define FRS_RESULTS_REPORT_ADAPTATION_REPORT_H

#include "analysis/read/json.h"
#include "sim/results/outputs.h"

/* "adaptation" of summary.json; nothing where the method knows no budgets. */
void frs_adaptation_set(json_t *root, const struct frs_outputs *outputs);

/* "1 to 16 of 16, 12.3 on average; in time 1901 of 3000 (63.4 %), cut 1099"; NULL where there are none.
 * Freed by the caller, as is the next. */
char *frs_adaptation_grants_line(const struct frs_outputs *outputs);

/* "330 ms on average, took at least 340 ms, the error at least 110 ms"; without "at least" where none was
 * aborted; NULL where nothing was predicted. */
char *frs_adaptation_predictions_line(const struct frs_outputs *outputs);

#endif
