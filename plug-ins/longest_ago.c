/* Longest ago: the clients that have not been selected for the longest time, those never selected first; by
 * lot among equals. */
#include "actors/selection.h"
#include "actors/selection/ranking.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/plugins/table.h"

#include <stdlib.h>

static uint32_t select_longest_ago(const struct frs_selection_request *request, uint32_t *clients) {
    struct frs_candidate *candidates = frs_alloc(request->n_clients, sizeof *candidates);
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_OF_PLUGINS);
    for (uint32_t client = 0; client < request->n_clients; client++) {
        const struct frs_seen *seen = frs_observations_client(request->observations, client);
        candidates[client] =
            (struct frs_candidate){.score = seen->times_selected > 0 ? -(double)seen->last_round - 1 : 0,
                .tie = frs_rng_unit(&rng),
                .client = client};
    }
    size_t left = request->n_clients;
    uint32_t n = frs_ranking_take(request, candidates, &left, request->n, clients);
    free(candidates);
    return n;
}

static const struct frs_selection longest_ago = {
    .plugin = {.name = "longest_ago", .summary = "those that were selected longest ago, or never"},
    .observes = true,
    .select = select_longest_ago,
};

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .selections = (const struct frs_selection *const[]){&longest_ago, NULL},
};
