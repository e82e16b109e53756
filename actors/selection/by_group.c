/* The same number of clients is selected from every group into which the method has sorted them (FedFast's
 * ActvSAMP): in random order the first of each group, then the second of each, and so on. */
#include "actors/selection/ranking.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <stdlib.h>

static uint32_t select_by_group(const struct frs_selection_request *request, uint32_t *clients) {
    uint32_t n_clients = request->n_clients;
    struct frs_candidate *candidates = frs_alloc(n_clients, sizeof *candidates);
    uint32_t *order = frs_alloc(n_clients, sizeof *order),
             *sizes = frs_alloc(request->n_groups, sizeof *sizes);
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_COHORT);
    frs_rng_sample(&rng, n_clients, n_clients, order);
    for (uint32_t i = 0, next = 0; i < n_clients; i++) {
        if (!frs_selection_eligible(request, order[i]))
            continue;
        double place = sizes[request->groups[order[i]]]++; /* within its group */
        candidates[next++] = (struct frs_candidate){.score = -place, .tie = -(double)i, .client = order[i]};
    }
    size_t left = 0;
    for (uint32_t group = 0; group < request->n_groups; group++)
        left += sizes[group];
    uint32_t n = frs_ranking_take(request, candidates, &left, request->n, clients);
    free(candidates);
    free(order);
    free(sizes);
    return n;
}

const struct frs_selection frs_selection_by_group = {
    .plugin = {.name = "by_group",
        .summary = "at random, as many from every group the method has sorted its clients into",
        .source = "Muhammad et al., KDD 2020 (FedFast), ActvSAMP"},
    .uses_groups = true,
    .select = select_by_group,
};
