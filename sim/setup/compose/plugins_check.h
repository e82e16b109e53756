/* Plug-ins that a scenario names: whether they have been loaded, which comes before a scenario is read. */
#ifndef FRS_SETUP_PLUGINS_CHECK_H
#define FRS_SETUP_PLUGINS_CHECK_H

#include "sim/setup/setup.h"

/* Adds an error for each plug-in that was not loaded, because the scenario did not come through a command
 * that loads them. */
void frs_compose_check_plugins(const struct frs_setup *setup, struct frs_errors *errors);

#endif
