/* Solve: the largest, smallest or best setting of one key that keeps to a bound, by running as few
 * settings as the search (search.h) needs.
 *
 * Leaves the folder of a sweep whose axis has the tried settings, in the order of trying: plan.json is
 * rewritten for each further setting, whose points follow the existing ones. answer.json has the question,
 * the answer and how sure the answer is. */
#ifndef FRS_SOLVE_SOLVE_H
#define FRS_SOLVE_SOLVE_H

#include "sim/solve/question.h"
#include "sim/sweep/session.h"

/* Runs the search, collects the folder and prints the answer. `options` as for a sweep, without axes.
 * Returns FRS_OK also where no tried setting keeps to the bound. *answer, freed by the caller, is the
 * setting that does, or NULL. A setting with a run that diverged, or that could not be run at all, does
 * not keep to the bound. */
enum frs_status frs_solve(const struct frs_question *question, const struct frs_sweep_options *options,
    char **answer, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
