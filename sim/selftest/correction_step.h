/* A correction of the aggregate behind a learner: checks that belong to both. */
#ifndef FRS_SELFTEST_CORRECTION_STEP_H
#define FRS_SELFTEST_CORRECTION_STEP_H

#include "algorithms/correction.h"
#include "sim/selftest/subject.h"

/* With every client present the tables are those of the plain mean, to rounding; with some of them tables
 * stay finite, and a model loaded into a new one goes on exactly as the one that was saved; or one line says
 * why the two do not go together. */
void frs_check_correction_step(struct frs_check *check, const struct frs_learner *learner,
    const char *variant, const struct frs_correction *correction);

#endif
