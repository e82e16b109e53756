/* Plan: every run of a sweep, numbered.
 *
 * A cell is one combination of levels, a point one replicate of a cell: one run. Cells count in row-major
 * order of the axes (the last one runs fastest), points by cell, then replicate. Replicate r (from 1) has the
 * seed seed + r - 1 in every cell, so that in all cells the same clients have the same links, sessions and
 * data (common random numbers) and cells can be compared in pairs. */
#ifndef FRS_SWEEP_PLAN_H
#define FRS_SWEEP_PLAN_H

#include "sim/base/arena.h"
#include "sim/base/digest.h"
#include "sim/sweep/settings.h"

#include <stdio.h>

struct frs_sweep_point {
    size_t cell, replicate; /* replicate from 1 */
    uint64_t seed;
    char hash[FRS_DIGEST_TEXT];     /* frs_scenario_hash */
    char learning[FRS_DIGEST_TEXT]; /* frs_scenario_learning_hash */
    struct frs_setting *settings;   /* those that are not common to all points */
    size_t n_settings;
};

struct frs_sweep_plan {
    char *name;             /* of the scenario */
    char *version;          /* of the program that made the plan */
    struct frs_sweep sweep; /* read from a file, its levels have labels only */
    struct frs_setting *common;
    size_t n_common;
    struct frs_sweep_point *points; /* [cells × replicates] */
    size_t n_points;
    struct frs_arena texts; /* of all settings */
};

/* Reads the scenario, its section `sweep` and the axes of `request`, and resolves every point; a level that
 * does not work is named. Writes nothing. On failure *out is NULL. */
enum frs_status frs_sweep_plan_build(const struct frs_sweep_request *request, struct frs_sweep_plan **out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether the points of a plan just built could be run: composes the first replicate of cells, each level at
 * least once, and more of them as long as the patience lasts. */
enum frs_status frs_sweep_plan_check(const struct frs_sweep_plan *plan,
    const struct frs_sweep_request *request, double patience_s, struct frs_errors *errors) FRS_MUST_CHECK;

void frs_sweep_plan_destroy(struct frs_sweep_plan *plan);

/* The scenario of one point, read by the table `sections`. `where` begins messages ("plan.json"). */
enum frs_status frs_sweep_plan_scenario(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    size_t point, const char *where, struct frs_scenario **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* The value of a key in a point, or NULL. */
const char *frs_sweep_plan_setting(const struct frs_sweep_plan *plan, size_t point, const char *key);

/* What differs between cells without having been varied (analysis/print/unvaried.h). Whether anything does. */
bool frs_sweep_plan_print_unvaried(const struct frs_sweep_plan *plan, FILE *out);

/* "method.name = colr, rounds.count = 5, replicate 2"; freed by the caller. */
char *frs_sweep_plan_describe(const struct frs_sweep_plan *plan, size_t point);

#endif
