/* Uniformly at random without replacement, anew in every round. */
#include "actors/selection.h"
#include "sim/base/rng.h"

static void select_uniform(const struct frs_selection_request *request, uint32_t *clients) {
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_COHORT);
    frs_rng_sample(&rng, request->n_clients, request->n, clients);
}

const struct frs_selection frs_selection_uniform = {
    .plugin = {.name = "uniform",
        .summary = "uniformly at random, without replacement within a round",
        .source = "McMahan et al. 2017"},
    .select = select_uniform,
};
