/* Target, as summary.json and the printed report show it. */
#ifndef FRS_RESULTS_REPORT_TARGET_OBJECT_H
#define FRS_RESULTS_REPORT_TARGET_OBJECT_H

#include "sim/results/non_federated.h"

#include <jansson.h>

/* Gives what a finished rounds.csv says of the target: criterion, threshold, whether it was reached, and if
 * so the members round, time_s and bytes. NULL when the run has no target or was never evaluated. Fails, with
 * NULL, if the file cannot be read. */
enum frs_status frs_target_object(const struct frs_setup *setup, const char *rounds_csv,
    const struct frs_non_federated_model_results *baselines, json_t **object, struct frs_errors *errors);

#endif
