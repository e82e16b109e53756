/* Load report: what a run demanded of the server and what it cost (sim/ledger/load.h), as members `load`,
 * `modelled` and `costs` of summary.json and as lines. */
#ifndef FRS_RESULTS_REPORT_LOAD_REPORT_H
#define FRS_RESULTS_REPORT_LOAD_REPORT_H

#include "sim/results/outputs.h"

#include <jansson.h>

void frs_load_set(json_t *root, const struct frs_outputs *outputs);

/* Connections and rates in a line; freed by the caller. NULL: they were not counted. */
char *frs_load_line(const struct frs_outputs *outputs);

/* Of clients by phase, and of the server; what is not charged is named. */
void frs_energy_set(json_t *root, const struct frs_outputs *outputs);
char *frs_energy_line(const struct frs_outputs *outputs);
/* NULL: nothing is said of the server's power. */
char *frs_server_energy_line(const struct frs_outputs *outputs);

/* Nothing, and NULL, where no price is given. */
void frs_costs_set(json_t *root, const struct frs_outputs *outputs);
char *frs_costs_line(const struct frs_outputs *outputs);

#endif
