/* Loss correlation: which clients drop out more often, where `failures.follows` ties losses to links, devices
 * or use. */
#ifndef FRS_SETUP_COMPOSE_LOSS_CORRELATION_H
#define FRS_SETUP_COMPOSE_LOSS_CORRELATION_H

#include "sim/setup/setup.h"

/* Call once clients, their links and their devices are known. Adds an error if no client is slower or less
 * active than others. */
void frs_compose_loss_correlation(struct frs_setup *setup, struct frs_errors *errors);

#endif
