/* Combinations of a scenario that do not go together; each adds what it finds to `errors`. */
#ifndef FRS_SETUP_COMPOSE_COMPOSE_CHECKS_H
#define FRS_SETUP_COMPOSE_COMPOSE_CHECKS_H

#include "sim/setup/setup.h"

/* What a platform of the user's own cannot do, and whether SimGrid takes it at all. */
void frs_compose_check_user_platform(struct frs_setup *setup, struct frs_errors *errors);
/* Updates in several sizes: clients whose tables differ, and tables assigned by the budget of an upload. */
void frs_compose_check_sets(const struct frs_setup *setup, struct frs_errors *errors);
/* What the codecs themselves cannot know to be senseless. */
void frs_compose_check_codecs(const struct frs_setup *setup, struct frs_errors *errors);
/* What the chosen method cannot do under the chosen policy. */
void frs_compose_check_policy(const struct frs_setup *setup, struct frs_errors *errors);
/* What the chosen selection cannot do with this cohort, policy, training or method. */
void frs_compose_check_selection(const struct frs_setup *setup, struct frs_errors *errors);
/* What the guarantee of a method's noise presupposes. */
void frs_compose_check_guarantee(const struct frs_setup *setup, struct frs_errors *errors);
/* What a run without training cannot know. */
void frs_compose_check_timing_only(const struct frs_setup *setup, struct frs_errors *errors);

#endif
