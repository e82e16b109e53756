/* Quality table: what a run's lists are worth, in the report that it prints. */
#ifndef FRS_RESULTS_QUALITY_TABLE_H
#define FRS_RESULTS_QUALITY_TABLE_H

#include "sim/results/outputs.h"

/* Prints a row for the tables before training, those of the last round, those of the best round by validation
 * and each non-federated baseline: HR and NDCG where one cut-off and one held-out item a user say all that
 * lists have, or MAE and RMSE; otherwise every figure, with rows of their own for each cut-off. */
void frs_quality_table_print(const struct frs_outputs *outputs, FILE *out);

#endif
