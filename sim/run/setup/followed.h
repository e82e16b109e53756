/* Followed: whose losses are many, where `failures.follows` says that they go by links, devices or use. */
#ifndef FRS_RUN_SETUP_FOLLOWED_H
#define FRS_RUN_SETUP_FOLLOWED_H

#include "sim/run/setup/setup.h"

/* Once clients, their links and their devices are known. Adds an error where nobody is slower or less active
 * than others. */
void frs_compose_followed(struct frs_setup *setup, struct frs_errors *errors);

#endif
