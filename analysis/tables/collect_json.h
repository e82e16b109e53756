/* What `fedrecsim collect --json` prints. */
#ifndef FRS_ANALYSIS_TABLES_COLLECT_JSON_H
#define FRS_ANALYSIS_TABLES_COLLECT_JSON_H

#include "analysis/entries/sweep_reader.h"

#include <jansson.h>

/* The points of a sweep and the means of its cells; `baseline` names what differences are to, or is NULL. */
json_t *frs_collect_object(const struct frs_sweep_results *sweep, const char *baseline);

#endif
