/* Checks of what a correction of the aggregate (method.server.correction) goes together with, and the
 * probabilities that it may ask for. */
#ifndef FRS_SETUP_CORRECTION_CHECKS_H
#define FRS_SETUP_CORRECTION_CHECKS_H

#include "sim/setup/setup.h"

struct frs_errors;

/* After everything else has been composed: adds errors, or gives the correction its probabilities. */
void frs_compose_check_correction(struct frs_setup *setup, struct frs_errors *errors);

#endif
