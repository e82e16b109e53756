/* Caps: what goes together with them. */
#ifndef FRS_SETUP_COMPOSE_CAPS_CHECKS_H
#define FRS_SETUP_COMPOSE_CAPS_CHECKS_H

#include "sim/setup/setup.h"

/* With a composed method. */
void frs_compose_check_caps(const struct frs_setup *setup, struct frs_errors *errors);

#endif
