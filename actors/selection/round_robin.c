/* Clients take turns through a list that is shuffled once, as in CoLR's published code: the client
 * selected least often comes first, and the list decides ties. A client that could not be selected in its
 * turn is first as soon as it can be. */
#include "actors/selection/ranking.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <stdlib.h>

static uint32_t select_round_robin(const struct frs_selection_request *request, uint32_t *clients) {
    struct frs_candidate *candidates = frs_alloc(request->n_clients, sizeof *candidates);
    uint32_t *list = frs_alloc(request->n_clients, sizeof *list);
    struct frs_rng rng = frs_rng_stream(request->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_ROTATION);
    frs_rng_sample(&rng, request->n_clients, request->n_clients, list);
    for (uint32_t i = 0; i < request->n_clients; i++)
        candidates[i] = (struct frs_candidate){
            .score = -(double)frs_observations_client(request->observations, list[i])->times_selected,
            .tie = -(double)i,
            .client = list[i]};
    size_t left = request->n_clients;
    uint32_t n = frs_ranking_take(request, candidates, &left, request->n, clients);
    free(list);
    free(candidates);
    return n;
}

const struct frs_selection frs_selection_round_robin = {
    .plugin = {.name = "round_robin",
        .summary = "in turn through a shuffled list",
        .source = "the published code of CoLR (Nguyen et al. 2024)"},
    .observes = true,
    .select = select_round_robin,
};
