/* Tables of a sweep, in Markdown. */
#ifndef FRS_ANALYSIS_TABLES_TABLES_H
#define FRS_ANALYSIS_TABLES_TABLES_H

#include "analysis/entries/sweep_reader.h"

#include <stdio.h>

/* What a sweep is compared with: levels[n_axes], FRS_ANY_LEVEL where a cell keeps its own; NULL: nothing. */
struct frs_baseline {
    const char *text;
    const size_t *levels;
    bool is_default; /* the first level of every design factor (frs_sweep_plan_first_designs) */
};

/* Prints for every metric of the plan: means, paired differences to the baseline, and for times and
 * amounts the ratio to it. A plan that names none gets the tables that answer: quality, its difference,
 * time to the target, its ratio, bytes to the target; if no run reached a target, time and bytes of the
 * whole runs, and the reason. `all`: also the rest: every quality, time, bytes by direction, waste, each
 * with difference and ratio. Rows are combinations of all axes but the last one, and columns the levels of
 * the last one; with one axis, its levels are the rows. */
void frs_tables_print(
    const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, bool all, FILE *out);

#endif
