/* Collect: everything about a sweep in a few files, and its tables for people.
 *
 *   sweep.sqlite     tables points, metrics (point, name, value), rounds, cells, differences
 *   points.csv       one row per point: axis labels, replicate, seed, status, every metric
 *   cells.csv        one row per cell and metric: n, mean, sd, 95 % interval, censored runs
 *   differences.csv  one row per cell and metric, against the cell's baseline: paired and unpaired
 *   tables.md        the metrics that the plan names, and their paired differences (tables.h)
 *
 * Each file is put in place as a whole. Equal plans and points give equal files, byte for byte. In CSV, a
 * value that does not exist is empty, and a target that a run did not reach is "inf". */
#ifndef FRS_ANALYSIS_TABLES_COLLECT_H
#define FRS_ANALYSIS_TABLES_COLLECT_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct json_t; /* jansson */

/* What is asked for instead of what the plan says; NULL: the plan's. */
struct frs_collect_options {
    const char *target;   /* "hr@10=0.5" */
    const char *baseline; /* "axis=label, axis=label"; axes that are not named keep the level of the cell */
    const char *page;     /* a Markdown file that shows the tables (page.h) */
    struct json_t **json; /* receives the results for programs (docs/schemas); NULL: nothing does */
    bool all;             /* the tables that do not answer by themselves, too (tables.h) */
};

/* Collects the sweep in `folder`; prints tables.md to `tables_out` (NULL: not). Unfinished points are no
 * error: the tables name them, and `n_lacking` counts them. `options` and `n_lacking` may be NULL. */
enum frs_status frs_collect(const char *folder, const struct frs_collect_options *options, FILE *tables_out,
    size_t *n_lacking, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
