/* Privacy mechanisms of a run: those that its scenario lists, or those that its method's own keys stand
 * for, and the settings that they exclude. docs/privacy.md has the table. */
#ifndef FRS_SETUP_COMPOSE_COMPOSE_PRIVACY_H
#define FRS_SETUP_COMPOSE_COMPOSE_PRIVACY_H

#include "sim/setup/setup.h"

/* Adds the privacy mechanisms that a method's keys stand for to an empty list, which then names the method
 * as their source. */
void frs_method_privacy_read(const struct frs_learner *learner, const void *model,
    struct frs_privacy_setup *context, struct frs_privacy_mechanism_list *list, struct frs_errors *errors);

/* After method, codecs, selection, policy, availability and failures have been composed. */
void frs_compose_privacy(struct frs_setup *setup, struct frs_errors *errors);

#endif
