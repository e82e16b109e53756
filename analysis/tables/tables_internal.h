/* What stands above the tables of a sweep: which points there are, the target, what differences are to. */
#ifndef FRS_ANALYSIS_TABLES_TABLES_INTERNAL_H
#define FRS_ANALYSIS_TABLES_TABLES_INTERNAL_H

#include "analysis/tables/tables.h"

void frs_tables_print_head(
    const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, FILE *out);

/* Whether the target is shown: a default one only where all runs have it. */
bool frs_tables_have_target(const struct frs_sweep_results *sweep);

#endif
