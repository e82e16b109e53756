/* Compare: entries side by side, their differences to the first one in the same environment, and which of
 * them are on the Pareto front there. */
#ifndef FRS_ANALYSIS_TABLES_COMPARE_H
#define FRS_ANALYSIS_TABLES_COMPARE_H

#include "analysis/entries/entries.h"

#include <stdio.h>

struct json_t; /* jansson */

struct frs_compare_options {
    const char *const *metrics; /* [n_metrics] shown beside the usual ones */
    size_t n_metrics;
    const char *csv;      /* file for the same figures, or NULL */
    const char *baseline; /* name of the entry that all differences are to, or NULL */
    struct json_t **json; /* receives the comparison (docs/schemas), which is not printed then; or NULL */
};

/* Prints the comparison to `out`. It is an error, without output, if no run has one of the metrics, or no
 * entry has the name of the baseline. */
enum frs_status frs_compare(const struct frs_entries *entries, const struct frs_compare_options *options,
    FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
