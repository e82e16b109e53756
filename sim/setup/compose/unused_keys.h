/* Unused keys: whether every key has an effect, in a scenario (frs_compose, frs_compose_on) and in its
 * file by itself.
 *
 * A key of the file that has no effect there, nor with what was put on top of the file, is a mistake. A
 * key that lost its effect by a --set or the level of an axis is inactive. A file that lacks something
 * that --set adds cannot be composed by itself, and none of its keys is called idle. */
#ifndef FRS_SETUP_COMPOSE_UNUSED_KEYS_H
#define FRS_SETUP_COMPOSE_UNUSED_KEYS_H

#include "sim/setup/compose/compose.h"

/* Composes the file `alone`, without anything on top, to find out which of its keys are read; false: it
 * cannot be composed. `whole` is a setup of which only the data have been loaded; the file borrows them if
 * it has the same data. NULL: none. */
bool frs_unused_keys_compose(const struct frs_scenario *alone, const struct frs_setup *whole);

#endif
