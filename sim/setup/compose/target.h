/* Target: when a run reached evaluation.target, and at what cost; by the same rules as comparisons and sweeps
 * (analysis/target/target_spec.h). */
#ifndef FRS_SETUP_COMPOSE_TARGET_H
#define FRS_SETUP_COMPOSE_TARGET_H

#include "analysis/target/target_spec.h"
#include "algorithms/metrics/quality.h"
#include "sim/setup/setup.h"

/* The target specification of a run that trains; metric NULL: it has none. Empty text means popularity + 0.03
 * where popularity is reported. Errors: a metric or a baseline that the run does not report. */
enum frs_status frs_target_spec_of_setup(const struct frs_setup *setup, struct frs_target_spec *target_spec,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether an evaluation reaches the run's target, whose bar is a number. */
bool frs_target_is_reached(const struct frs_setup *setup, const struct frs_quality *quality);

#endif
