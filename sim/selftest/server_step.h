/* A server optimiser behind a learner: checks that belong to both. */
#ifndef FRS_SELFTEST_SERVER_STEP_H
#define FRS_SELFTEST_SERVER_STEP_H

#include "algorithms/optimiser.h"
#include "sim/selftest/subject.h"

/* Checks that tables stay finite, and that a loaded model goes on exactly as the saved one, moments
 * included; or that one line says why method and optimiser cannot be combined. */
void frs_check_server_step(struct frs_check *check, const struct frs_learner *learner, const char *variant,
    const struct frs_optimiser *optimiser);

/* Checks that the optimiser "none" without a rate of its own leaves the learner as it is, and that half
 * the rate gives half the change. */
void frs_check_step_of_none(struct frs_check *check, const struct frs_learner *learner, const char *variant);

#endif
