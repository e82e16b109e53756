/* The platform of a run: links, devices and server, and when clients can be reached and how they fail. */
#ifndef FRS_SETUP_COMPOSE_COMPOSE_PLATFORM_H
#define FRS_SETUP_COMPOSE_COMPOSE_PLATFORM_H

#include "sim/setup/setup.h"

/* Links, devices and server as scenario, presets and tables describe them. */
void frs_compose_platform(struct frs_setup *setup, struct frs_errors *errors);

/* The classes of clients, once devices and networks are composed. */
void frs_compose_strata(struct frs_setup *setup);

/* Availability, churn, failures and retries. After the platform and the data have been composed. */
void frs_compose_availability(struct frs_setup *setup, struct frs_errors *errors);

#endif
