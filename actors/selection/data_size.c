/* Clients are drawn without replacement, with probability proportional to the number of their training
 * samples. */
#include "actors/selection/ranking.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <stdlib.h>

static uint32_t select_data_size(const struct frs_selection_request *request, uint32_t *clients) {
    struct frs_candidate *candidates = frs_alloc(request->n_clients, sizeof *candidates);
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_COHORT);
    for (uint32_t i = 0; i < request->n_clients; i++)
        candidates[i] =
            (struct frs_candidate){.score = frs_ranking_draw(&rng, (double)request->samples[i]), .client = i};
    size_t left = request->n_clients;
    uint32_t n = frs_ranking_take(request, candidates, &left, request->n, clients);
    free(candidates);
    return n;
}

const struct frs_selection frs_selection_data_size = {
    .plugin = {.name = "data_size",
        .summary = "at random, with probability proportional to the number of training samples",
        .source = "Li et al. 2020 (FedProx), sampling scheme of section 3; Efraimidis and Spirakis 2006"},
    .uses_samples = true,
    .select = select_data_size,
};
