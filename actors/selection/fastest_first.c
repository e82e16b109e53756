/* Selects the clients whose uploads are expected soonest: by the time spent on their participations,
 * divided by the share that arrived (frs_observations_delivery_s). A share of the cohort explores: it goes
 * to clients of which the server has not seen the end of any participation, as long as there are any,
 * those selected least often first. */
#include "actors/selection/ranking.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

static const struct frs_param params[] = {
    {.key = "explore",
        .type = FRS_REAL,
        .initial = "0.2",
        .min = 0,
        .max = 1,
        .help = "share of a cohort taken from clients of which no participation has ended yet, while there "
                "are any"},
    {0},
};

static void *create(const struct frs_values *values) {
    double *explore = frs_alloc(1, sizeof *explore);
    *explore = frs_values_real(values, "explore");
    return explore;
}

/* Explored clients grow from the front, the others from the back; returns the number of the former. */
static uint32_t part(
    const struct frs_selection_request *request, struct frs_rng *rng, struct frs_candidate *candidates) {
    uint32_t front = 0, back = request->n_clients;
    for (uint32_t i = 0; i < request->n_clients; i++) {
        const struct frs_seen *seen = frs_observations_client(request->observations, i);
        double tie = frs_rng_unit(rng);
        double delivery_s = frs_observations_delivery_s(request->observations, i);
        if (frs_seen_is_explored(seen))
            candidates[front++] = (struct frs_candidate){.score = -delivery_s, .tie = tie, .client = i};
        else
            candidates[--back] =
                (struct frs_candidate){.score = -(double)seen->times_selected, .tie = tie, .client = i};
    }
    return front;
}

static uint32_t select_fastest_first(const struct frs_selection_request *request, uint32_t *clients) {
    struct frs_candidate *candidates = frs_alloc(request->n_clients, sizeof *candidates);
    struct frs_rng rng =
        frs_rng_stream(request->seed, FRS_RNG_SERVER, request->round, request->attempt, FRS_RNG_EXPLORE);
    uint32_t n_new = frs_ranking_share(&rng, request->n, *(const double *)request->settings);
    size_t n_explored = part(request, &rng, candidates), n_others = request->n_clients - n_explored;
    struct frs_candidate *others = candidates + n_explored;
    uint32_t n = frs_ranking_take(request, others, &n_others, n_new, clients);
    n += frs_ranking_take(request, candidates, &n_explored, request->n - n, clients + n);
    if (n < request->n) /* too few were explored: the rest explores as well */
        n += frs_ranking_take(request, others, &n_others, request->n - n, clients + n);
    free(candidates);
    return n;
}

const struct frs_selection frs_selection_fastest_first = {
    .plugin = {.name = "fastest_first",
        .summary = "those of which an upload is expected soonest, and some not seen yet",
        .source = "Nishio and Yonetani 2019 (FedCS), by observed times",
        .params = params},
    .observes = true,
    .uses_times = true,
    .create = create,
    .select = select_fastest_first,
};
