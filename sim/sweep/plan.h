/* Planning: from a scenario with axes to the plan of its sweep (analysis/plan/plan.h), and back to scenarios.
 *
 * Replicate r (from 1) has the
 * seed seed + r - 1 in every cell, so that in all cells the same clients have the same links, sessions and
 * data (common random numbers) and cells can be compared in pairs. */
#ifndef FRS_SWEEP_PLAN_H
#define FRS_SWEEP_PLAN_H

#include "analysis/plan/plan.h"
#include "sim/sweep/settings.h"

/* Reads the scenario, its section `sweep` and the axes of `request`, and resolves every point; an error
 * names the level that is wrong. Writes nothing. On failure *out is NULL. */
enum frs_status frs_sweep_plan_build(const struct frs_sweep_request *request, struct frs_sweep_plan **out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether the points of a plan just built could be run: composes the first replicate of cells, each level
 * at least once, and further cells as long as the patience lasts. */
enum frs_status frs_sweep_plan_check(const struct frs_sweep_plan *plan,
    const struct frs_sweep_request *request, double patience_s, struct frs_errors *errors) FRS_MUST_CHECK;

/* Returns where --set or a level has replaced a distribution of the file by another one
 * (frs_scenario_replaced): the lines of all cells, each once, with newlines between them; freed by the
 * caller. Checks one cell for every level. */
char *frs_sweep_plan_replaced(const struct frs_sweep_plan *plan, const struct frs_sweep_request *request);

/* The scenario of one point, read by the table `sections`. `where` begins messages ("plan.json"). */
enum frs_status frs_sweep_plan_scenario(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    size_t point, const char *where, struct frs_scenario **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* The value of a key in a point, or NULL. */
const char *frs_sweep_plan_setting(const struct frs_sweep_plan *plan, size_t point, const char *key);

/* "method.name = colr, rounds.count = 5, replicate 2"; freed by the caller. */
char *frs_sweep_plan_describe(const struct frs_sweep_plan *plan, size_t point);

/* frs_sweep_plan_load, and refuses a plan that lacks what running takes. On failure *out is NULL. */
enum frs_status frs_sweep_plan_read(
    const char *path, struct frs_sweep_plan **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether both plans mean the same runs; otherwise one error names the first difference. What only the
 * tables need (metrics, baseline, target) may differ. `extends`: `wanted` may have more points behind
 * those of `written`. `path`: of `written`, begins the message. `where`: what has `wanted`, NULL where that
 * is the sweep that is asked for. */
enum frs_status frs_sweep_plan_compare(const struct frs_sweep_plan *written,
    const struct frs_sweep_plan *wanted, bool extends, const char *path, const char *where,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Gives a plan just built the order of a plan that was written before. The points of `written` keep their
 * numbers; points of further levels and replicates, which `extends` allows, follow. Without `extends`,
 * does nothing to a plan of another sweep. Adds an error if a level, a replicate or a setting of an
 * earlier point is different. */
enum frs_status frs_sweep_plan_follow(struct frs_sweep_plan *wanted, const struct frs_sweep_plan *written,
    bool extends, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
