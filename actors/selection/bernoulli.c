/* Bernoulli sampling: every client takes part with the same probability q = n / clients, by itself, whatever becomes of others. So
 * cohorts are of n clients on average, and may be empty; a round without anybody closes as it opens. It is what the accounting
 * of noisy gradients knows as Poisson sampling. */
#include "actors/selection.h"
#include "sim/base/numbers/rng.h"

/* Everybody has a draw, so that who else can be reached makes no difference to anybody. */
static uint32_t select_bernoulli(const struct frs_selection_request *request, uint32_t *clients) {
    double q = (double)request->n / request->n_clients;
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_COHORT);
    uint32_t n = 0;
    for (uint32_t client = 0; client < request->n_clients; client++)
        if (frs_rng_unit(&rng) < q && frs_selection_eligible(request, client))
            clients[n++] = client;
    return n;
}

const struct frs_selection frs_selection_bernoulli = {
    .plugin = {.name = "bernoulli",
        .summary = "each client by itself with the same probability, cohorts of rounds.cohort on average",
        .source = "Abadi et al. 2016, section 3.1; McMahan et al. 2018, algorithm 1"},
    .varies = true,
    .select = select_bernoulli,
};
