/* Followed: whose losses are many, where `failures.follows` says that they go by links, devices or use. */
#ifndef FRS_SETUP_LOSS_CORRELATION_H
#define FRS_SETUP_LOSS_CORRELATION_H

#include "sim/setup/setup.h"

/* Once clients, their links and their devices are known. Adds an error where nobody is slower or less active
 * than others. */
void frs_compose_loss_correlation(struct frs_setup *setup, struct frs_errors *errors);

#endif
