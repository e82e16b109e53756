/* The clients whose participations took the least time so far are asked. A share of the cohort explores: it
 * goes to clients that were never measured, those asked least often first, as long as there are any. */
#include "actors/selection/ranking.h"
#include "sim/base/memory.h"

#include <stdlib.h>

static const struct frs_param params[] = {
    {.key = "explore",
        .type = FRS_REAL,
        .initial = "0.2",
        .min = 0,
        .max = 1,
        .help = "share of a cohort taken from clients never measured, while there are any"},
    {0},
};

static void *create(const struct frs_values *values) {
    double *explore = frs_alloc(1, sizeof *explore);
    *explore = frs_values_real(values, "explore");
    return explore;
}

/* Measured clients grow from the front, the others from the back; returns the number of the former. */
static uint32_t part(
    const struct frs_selection_request *request, struct frs_rng *rng, struct frs_candidate *candidates) {
    uint32_t front = 0, back = request->n_clients;
    for (uint32_t i = 0; i < request->n_clients; i++) {
        const struct frs_seen *seen = frs_observations_client(request->observations, i);
        double tie = frs_rng_unit(rng);
        if (seen->measured)
            candidates[front++] = (struct frs_candidate){.score = -seen->duration_s, .tie = tie, .client = i};
        else
            candidates[--back] =
                (struct frs_candidate){.score = -(double)seen->asked, .tie = tie, .client = i};
    }
    return front;
}

static uint32_t select_fastest_first(const struct frs_selection_request *request, uint32_t *clients) {
    struct frs_candidate *candidates = frs_alloc(request->n_clients, sizeof *candidates);
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_EXPLORE);
    uint32_t n_new = frs_ranking_share(&rng, request->n, *(const double *)request->settings);
    size_t n_measured = part(request, &rng, candidates), n_others = request->n_clients - n_measured;
    struct frs_candidate *others = candidates + n_measured;
    uint32_t n = frs_ranking_take(request, others, &n_others, n_new, clients);
    n += frs_ranking_take(request, candidates, &n_measured, request->n - n, clients + n);
    if (n < request->n) /* too few were measured: the rest explores as well */
        n += frs_ranking_take(request, others, &n_others, request->n - n, clients + n);
    free(candidates);
    return n;
}

const struct frs_selection frs_selection_fastest_first = {
    .plugin = {.name = "fastest_first",
        .summary = "those whose participations took the least time so far, and some never measured",
        .source = "Nishio and Yonetani 2019 (FedCS), by observed times",
        .params = params},
    .observes = true,
    .uses_times = true,
    .create = create,
    .select = select_fastest_first,
};
