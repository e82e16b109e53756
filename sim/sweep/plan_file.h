/* A plan that points are run from: it says all that takes, and is that of the sweep that goes on with it. */
#ifndef FRS_SWEEP_PLAN_FILE_H
#define FRS_SWEEP_PLAN_FILE_H

#include "sim/sweep/plan.h"

/* frs_sweep_plan_load, and refuses a plan that lacks what running takes. On failure *out is NULL. */
enum frs_status frs_sweep_plan_read(
    const char *path, struct frs_sweep_plan **out, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether both mean the same runs; one error that names the first difference when they do not. What only the
 * tables need (metrics, baseline, target) may differ. `path`: of `written`, begins the message. */
enum frs_status frs_sweep_plan_compare(const struct frs_sweep_plan *written,
    const struct frs_sweep_plan *wanted, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
