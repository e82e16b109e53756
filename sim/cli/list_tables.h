/* What `fedrecsim list` knows beside plug-ins and presets: tables of figures. */
#ifndef FRS_CLI_LIST_TABLES_H
#define FRS_CLI_LIST_TABLES_H

#include <jansson.h>
#include <stdio.h>

/* Every figure that a run can have (analysis/statistics/metrics.def), one line each. */
void frs_list_metrics(FILE *out);

/* The same as an object of the format fedrecsim-metrics-1. */
json_t *frs_list_metrics_json(void);

/* Every column of every file of results (analysis/columns/columns.def). */
void frs_list_columns(FILE *out);

/* The same as an object of the format fedrecsim-columns-1. */
json_t *frs_list_columns_json(void);

#endif
