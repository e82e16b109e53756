/* The names by which journals and caches identify a training and the figures of non-federated baselines:
 * digests of all that decides them. */
#ifndef FRS_SETUP_TRAINING_KEY_H
#define FRS_SETUP_TRAINING_KEY_H

#include "sim/setup/setup.h"

/* Names the training of a setup by what decides what is learnt: the relevant settings
 * (sim/scenario/hash.h), the data themselves, and the program. Everything else of a scenario acts only
 * through the calls of the trainer. */
struct frs_digest frs_training_key(const struct frs_setup *setup);

/* The same for messages: what of it is set how, as lines (sim/base/identity.h); freed by the caller. */
char *frs_training_identity(const struct frs_setup *setup);

/* Names the figures of non-federated baselines by what decides them besides their own settings: the data,
 * how they are split and evaluated, and the program. Methods and networks are not included, so all points
 * of a sweep share these figures. */
struct frs_digest frs_non_federated_key(const struct frs_setup *setup);

#endif
