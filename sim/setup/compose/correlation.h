/* Correlation: which clients drop out more often, and which are online less, where `failures.follows` and
 * `availability.follows` tie that to links, devices, use or taste. */
#ifndef FRS_SETUP_COMPOSE_CORRELATION_H
#define FRS_SETUP_COMPOSE_CORRELATION_H

#include "sim/setup/setup.h"

/* Call once clients, their links and their devices are known. Adds an error if no client is slower or less
 * active than others. */
void frs_compose_loss_correlation(struct frs_setup *setup, struct frs_errors *errors);

/* Likewise; without a `follows` nothing happens. */
void frs_compose_availability_correlation(struct frs_setup *setup, struct frs_errors *errors);

/* Whether any of the two goes by taste, for which the items of all clients are needed. */
bool frs_compose_goes_by_taste(const struct frs_setup *setup);

#endif
