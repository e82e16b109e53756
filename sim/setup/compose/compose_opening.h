/* Opening: when rounds open, and for how many clients they wait (actors/opening). */
#ifndef FRS_SETUP_COMPOSE_COMPOSE_OPENING_H
#define FRS_SETUP_COMPOSE_COMPOSE_OPENING_H

#include "sim/base/status.h"
#include "sim/setup/setup.h"

/* After availability, selection and policy are there. */
void frs_compose_opening(struct frs_setup *setup, struct frs_errors *errors);

#endif
