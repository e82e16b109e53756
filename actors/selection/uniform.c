/* Clients are drawn uniformly without replacement, anew in every round: the first eligible clients of a
 * random permutation. */
#include "actors/selection.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <stdlib.h>

static uint32_t take_eligible(
    const struct frs_selection_request *request, const uint32_t *drawn, uint32_t n_drawn, uint32_t *clients) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_drawn && n < request->n; i++)
        if (!request->eligible || request->eligible(request->context, drawn[i]))
            clients[n++] = drawn[i];
    return n;
}

/* A longer prefix of the same permutation is drawn until it holds enough. */
static uint32_t select_uniform(const struct frs_selection_request *request, uint32_t *clients) {
    for (uint64_t length = request->n;; length *= 2) {
        uint32_t n_drawn = length < request->n_clients ? (uint32_t)length : request->n_clients;
        uint32_t *drawn = frs_alloc(n_drawn, sizeof *drawn);
        struct frs_rng rng =
            frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_COHORT);
        frs_rng_sample(&rng, request->n_clients, n_drawn, drawn);
        uint32_t n = take_eligible(request, drawn, n_drawn, clients);
        free(drawn);
        if (n == request->n || n_drawn == request->n_clients)
            return n;
    }
}

const struct frs_selection frs_selection_uniform = {
    .plugin = {.name = "uniform",
        .summary = "uniformly at random, without replacement within a round",
        .source = "McMahan et al. 2017"},
    .select = select_uniform,
};
