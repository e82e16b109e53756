/* What a run writes and where, of the section `output`. */
#ifndef FRS_SETUP_COMPOSE_COMPOSE_OUTPUT_H
#define FRS_SETUP_COMPOSE_COMPOSE_OUTPUT_H

#include "sim/setup/setup.h"

void frs_compose_output(struct frs_setup *setup, struct frs_errors *errors);

#endif
