/* Target: the one target specification that a comparison, a sweep's tables and a map of winners use.
 *
 * The first of these that exists: the target on the command line, the target of the sweep's plan,
 * evaluation.target of the first run ("none": there is no target), and popularity's HR@K + 0.03 or the
 * RMSE of item_mean. */
#ifndef FRS_ANALYSIS_TARGET_TARGET_H
#define FRS_ANALYSIS_TARGET_TARGET_H

#include "analysis/target/time_to_target.h"

/* All zero: open. */
struct frs_target {
    struct frs_target_spec target_spec; /* metric NULL: none */
    bool settled, is_default;
    bool has_validation; /* the first run has validation items */
    char *protocol;      /* of the first run */
};

/* What the command line says; NULL leaves the target open. */
enum frs_status frs_target_name(
    struct frs_target *target, const char *text, struct frs_errors *errors) FRS_MUST_CHECK;

/* What a plan says, unless the target is settled; one without metric leaves it open. */
void frs_target_plan(struct frs_target *target, const struct frs_target_spec *target_spec);

/* Lets the run decide what is still open; every further run leaves it as it is. */
void frs_target_settle(struct frs_target *target, const struct frs_run_results *run);

/* Adds to a run's metrics when it reached the target (frs_time_to_target_apply). Skips a default target
 * that does not apply to the run. */
enum frs_status frs_target_apply(
    const struct frs_target *target, struct frs_run_results *run, struct frs_errors *errors) FRS_MUST_CHECK;

/* "hr@10 ≥ popularity + 0.03 (validation items; the default)"; freed with free(). NULL: there is none. */
char *frs_target_text(const struct frs_target *target);

/* "hr@10" or "rmse": the measure of quality of the target, or else of a run with these metrics; NULL
 * without one. *lower: smaller is better. Valid until target and metrics end. */
const char *frs_target_quality(
    const struct frs_target *target, const struct frs_metrics *metrics, bool *lower);

void frs_target_fini(struct frs_target *target);

#endif
