/* Judge: whether every key has an effect, in a scenario (frs_compose, frs_compose_on) and in its file by itself.
 *
 * A key of the file that has no effect there is a mistake, whatever is put on top of the file; one that lost its effect by a
 * --set or the level of an axis rests. A file that cannot be composed by itself, because something is missing
 * that --set adds, has no key that could be called idle. */
#ifndef FRS_RUN_SETUP_JUDGE_H
#define FRS_RUN_SETUP_JUDGE_H

#include "sim/run/setup/compose.h"

/* Adds an error for every key of the file `alone` (without anything on top) that has no effect. `whole` is a setup
 * whose data have been loaded and nothing else; they are borrowed where the file has the same. NULL: none. */
enum frs_status frs_judge(const struct frs_scenario *alone, const struct frs_setup *whole,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
