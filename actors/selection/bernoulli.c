/* Bernoulli sampling: every client takes part with the same probability q, independently of the others; q
 * is n / clients unless a probability is given. So cohorts have q · (clients that can be reached) members
 * on average, and may be empty; a round without clients closes as it opens. The accounting of noisy
 * gradients calls this Poisson sampling. */
#include "actors/selection.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

static void *create(const struct frs_values *values) {
    double *probability = frs_alloc(1, sizeof *probability);
    *probability = frs_values_real(values, "probability");
    return probability;
}

static double probability_of(const void *settings) {
    return *(const double *)settings;
}

/* Every client has a draw, so that the reachability of one changes the selection of no other. */
static uint32_t select_bernoulli(const struct frs_selection_request *request, uint32_t *clients) {
    double q = request->probability > 0 ? request->probability : (double)request->n / request->n_clients;
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_COHORT);
    uint32_t n = 0;
    for (uint32_t client = 0; client < request->n_clients; client++)
        if (frs_rng_unit(&rng) < q && frs_selection_eligible(request, client))
            clients[n++] = client;
    return n;
}

static const struct frs_param params[] = {
    {.key = "probability",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1,
        .help =
            "with which a client that can be reached is selected; 0: rounds.cohort / clients. Where clients "
            "are offline a larger one makes up for those that cannot be selected"},
    {0},
};

const struct frs_selection frs_selection_bernoulli = {
    .plugin = {.name = "bernoulli",
        .summary = "each client that can be reached, by itself with the same probability: cohorts of "
                   "rounds.cohort on average where all of them can, and of fewer where clients are offline",
        .source = "Abadi et al. 2016, section 3.1; McMahan et al. 2018, algorithm 1",
        .params = params},
    .varies = true,
    .create = create,
    .probability = probability_of,
    .select = select_bernoulli,
};
