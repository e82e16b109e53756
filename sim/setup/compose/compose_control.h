/* Control: how clients are selected, and which sizes of upload they are assigned. */
#ifndef FRS_SETUP_COMPOSE_COMPOSE_CONTROL_H
#define FRS_SETUP_COMPOSE_COMPOSE_CONTROL_H

#include "sim/base/status.h"
#include "sim/setup/setup.h"

/* After data, method, codec and policy are there. Sets selection, adaptation and observations of the setup,
 * and adds an error for what cannot be. */
void frs_compose_control(struct frs_setup *setup, struct frs_errors *errors);

#endif
