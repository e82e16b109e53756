/* Hashes: names for what a scenario says (BLAKE2b of keys and values, defaults included). */
#ifndef FRS_SCENARIO_HASH_H
#define FRS_SCENARIO_HASH_H

#include "sim/base/files/digest.h"
#include "sim/scenario/scenario.h"

/* Hashes everything that decides the results: equal hashes mean equal files. Leaves out what only says where
 * results go (`output`). Returns `text`. */
char *frs_scenario_hash(const struct frs_scenario *scenario, char text[FRS_DIGEST_TEXT]);

/* Hashes what decides what is learnt when every selected client delivers: data, method, codecs, training,
 * evaluation, adaptation, seed, and of the rounds count, cohort, selection (but for how long clients are
 * called) and how the policy weights.
 * Returns `text`. */
char *frs_scenario_training_hash(const struct frs_scenario *scenario, char text[FRS_DIGEST_TEXT]);

#endif
