/* plan.json: a plan as a file, from which every point can be run on its own and results can be collected.
 *
 *   format "fedrecsim-plan-1", name, version
 *   axes         [{name, role ("choice" or "circumstance"), levels: [label], keys: [key]}]
 *   replicates
 *   metrics      [name]; none: the tables that answer (analysis/tables/tables.h)
 *   baseline     "axis=label,axis=label"; null: the first level of every choice
 *   target       null, or {metric, comparison ">=" or "<=", reference (name or null), value}
 *   early_stop   null, or {metric, width, min_replicates}
 *   settings     {key: text} common to all points
 *   points       [{index, cell, levels: [label], replicate, seed, hash, learning,
 *                  settings {those that differ}}] */
#ifndef FRS_SWEEP_PLAN_FILE_H
#define FRS_SWEEP_PLAN_FILE_H

#include "sim/sweep/plan.h"

/* Writes DIR/plan.json under another name first, so that it is never half there. */
enum frs_status frs_sweep_plan_write(
    const struct frs_sweep_plan *plan, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

/* On failure *out is NULL. */
enum frs_status frs_sweep_plan_read(
    const char *path, struct frs_sweep_plan **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether both mean the same runs; one error that names the first difference when they do not. What only the
 * tables need (metrics, baseline, target) may differ. `path`: of `written`, begins the message. */
enum frs_status frs_sweep_plan_compare(const struct frs_sweep_plan *written,
    const struct frs_sweep_plan *wanted, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
