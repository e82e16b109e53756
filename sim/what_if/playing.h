/* Playing: one what-if, simulated by the process that calls this. */
#ifndef FRS_WHAT_IF_PLAYING_H
#define FRS_WHAT_IF_PLAYING_H

#include "sim/scenario/scenario.h"
#include "sim/what_if/order.h"

/* Fills the answer and ends the process. */
_Noreturn void frs_what_if_play(const struct frs_scenario *scenario, const struct frs_what_if_order *order,
    size_t which, struct frs_what_if_answer *answer);

#endif
