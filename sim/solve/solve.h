/* Solve: the largest, smallest or best setting of one key that keeps to a bound, by runs of as few settings
 * as the search (search.h) takes.
 *
 * Leaves the folder of a sweep whose axis has the settings that were tried, in the order in which they were:
 * plan.json is written anew with every further one, which adds points behind those there are. answer.json
 * says what was asked, what the answer is and how sure it is. */
#ifndef FRS_SOLVE_SOLVE_H
#define FRS_SOLVE_SOLVE_H

#include "sim/solve/question.h"
#include "sim/sweep/session.h"

/* Runs the search, collects the folder and prints the answer. `options` as for a sweep, without axes. FRS_OK
 * also where no setting that was run keeps to the bound; *answer, freed by the caller, is the setting that
 * does, or NULL. A setting of which
 * a run has diverged, or could not be run at all, is one that does not. */
enum frs_status frs_solve(const struct frs_question *question, const struct frs_sweep_options *options,
    char **answer, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
