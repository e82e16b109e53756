/* One what-if, simulated by the process that calls this. */
#ifndef FRS_WHAT_IF_SIMULATE_H
#define FRS_WHAT_IF_SIMULATE_H

#include "sim/scenario/scenario.h"
#include "sim/what_if/task.h"

/* Fills the answer and ends the process. */
_Noreturn void frs_what_if_simulate(const struct frs_scenario *scenario, const struct frs_what_if_task *task,
    size_t which, struct frs_what_if_answer *answer);

#endif
