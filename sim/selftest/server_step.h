/* A server optimiser behind a learner: checks that belong to both. */
#ifndef FRS_SELFTEST_SERVER_STEP_H
#define FRS_SELFTEST_SERVER_STEP_H

#include "algorithms/optimiser.h"
#include "sim/selftest/subject.h"

/* Tables stay finite, and a model loaded into a new one goes on exactly as the one that was saved, moments
 * and all; or one line says why the two do not go together. */
void frs_check_server_step(struct frs_check *check, const struct frs_learner *learner, const char *variant,
    const struct frs_optimiser *optimiser);

/* Without a rate of its own the optimiser "none" leaves the learner as it is; half the rate is half the
 * change. */
void frs_check_step_of_none(struct frs_check *check, const struct frs_learner *learner, const char *variant);

#endif
