/* The round closes when every participant has ended. */
#include "actors/policy.h"
#include "actors/server.h"

#include <simgrid/actor.h>

static void collect(struct frs_round *round) {
    for (size_t i = 0; i < round->n; i++)
        sg_actor_join(round->actors[i], -1);
}

const struct frs_policy frs_policy_wait_all = {
    .plugin = {.name = "wait_all",
        .summary = "wait for every client of the cohort",
        .source = "McMahan et al. 2017"},
    .collect = collect,
};
