/* Which non-federated baselines a run is to report, and their settings. */
#ifndef FRS_SETUP_COMPOSE_NON_FEDERATED_SETTINGS_H
#define FRS_SETUP_COMPOSE_NON_FEDERATED_SETTINGS_H

#include "algorithms/non_federated.h"
#include "sim/setup/setup.h"

/* Bytes that fitting the baselines of the run takes at most beside its rounds, as far as they say so. */
double frs_non_federated_bytes(const struct frs_setup *setup);

/* The choices of evaluation.non_federated, ended by NULL, and whether the run names the i-th. */
const char *const *frs_non_federated_model_choices(const struct frs_setup *setup);
bool frs_non_federated_model_is_named(const struct frs_setup *setup, size_t i);

const struct frs_values *frs_non_federated_model_settings(
    const struct frs_setup *setup, const struct frs_non_federated_model *baseline);

/* Refuses baselines that cannot work with the data (ranking baselines under explicit feedback, and the
 * reverse), and claims the settings of those that will be fitted. Called by frs_compose. */
enum frs_status frs_non_federated_check(
    const struct frs_setup *setup, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
