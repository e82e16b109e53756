/* Hashes: names for what a scenario says (BLAKE2b of keys and values, defaults included). */
#ifndef FRS_SCENARIO_HASH_H
#define FRS_SCENARIO_HASH_H

#include "sim/base/files/digest.h"
#include "sim/scenario/scenario.h"

#include <stdbool.h>

/* Hashes everything that decides the results: equal hashes mean equal files. Leaves out settings that only
 * say where results are written (`output`). Returns `text`. */
char *frs_scenario_hash(const struct frs_scenario *scenario, char text[FRS_DIGEST_TEXT]);

/* Hashes everything that decides what is learnt when every selected client delivers: data, method, codecs,
 * training, evaluation, adaptation and seed; and of the rounds their count, cohort, selection (except how
 * long the server tries to reach a client) and how the policy weights. Returns `text`. */
char *frs_scenario_training_hash(const struct frs_scenario *scenario, char text[FRS_DIGEST_TEXT]);

/* Whether a key of frs_scenario_each is in the first hash, and in the second. */
bool frs_scenario_decides_results(const char *key);
bool frs_scenario_decides_learning(const char *key);

#endif
