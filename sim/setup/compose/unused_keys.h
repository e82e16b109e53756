/* Unused keys: whether every key has an effect, in a scenario (frs_compose, frs_compose_on) and in its file
 * by itself.
 *
 * A key of the file that has no effect there, and none with what was put on top of the file either, is a
 * mistake; one that lost its effect by a --set or the level of an axis is inactive. A file that cannot be
 * composed by itself, because something is missing that --set adds, has no key that could be called idle. */
#ifndef FRS_SETUP_COMPOSE_UNUSED_KEYS_H
#define FRS_SETUP_COMPOSE_UNUSED_KEYS_H

#include "sim/setup/compose/compose.h"

/* Composes the file `alone`, without anything on top, so that its keys know whether something reads them;
 * false: it cannot be composed. `whole` is a setup whose data have been loaded and nothing else; they are
 * borrowed where the file has the same. NULL: none. */
bool frs_unused_keys_compose(const struct frs_scenario *alone, const struct frs_setup *whole);

#endif
