/* The names under which journals and caches know a training and the figures of non-federated baselines:
 * digests of all that decides them. */
#ifndef FRS_SETUP_TRAINING_KEY_H
#define FRS_SETUP_TRAINING_KEY_H

#include "sim/setup/setup.h"

/* Names the training of a setup: what of the scenario decides what is learnt (sim/scenario/hash.h), the data
 * themselves, and the program. Everything else of a scenario acts through the calls below only. */
struct frs_digest frs_training_key(const struct frs_setup *setup);

/* Names what the figures of non-federated baselines follow from, beside their own settings: the data, how
 * they are split and evaluated, and the program. Neither methods nor networks are in it, so that all points
 * of a sweep share them. */
struct frs_digest frs_non_federated_key(const struct frs_setup *setup);

#endif
