/* What privacy mechanisms exclude, and why. */
#ifndef FRS_SETUP_COMPOSE_PRIVACY_CHECKS_H
#define FRS_SETUP_COMPOSE_PRIVACY_CHECKS_H

#include "sim/setup/setup.h"

/* Whether a privacy mechanism can follow those that setup->training.mechanisms already has. False after
 * errors about `values`, about its section, or about a conflicting setting. */
bool frs_privacy_is_possible(const struct frs_setup *setup, const struct frs_privacy_mechanism *mechanism,
    const struct frs_values *values, struct frs_errors *errors);

#endif
