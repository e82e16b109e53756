/* Popularity: an item's score is its number of training interactions. What any recommender has to beat. */
#include "algorithms/non_federated.h"
#include "sim/base/memory.h"

#include <stdlib.h>

/* The model is the count of every item, [n_items]. */
static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    (void)values;
    (void)stopped;
    float *counts = frs_alloc(population->n_items, sizeof *counts);
    uint32_t *exact = frs_alloc(population->n_items, sizeof *exact);
    for (uint32_t client = 0; client < population->n_clients; client++)
        for (size_t i = 0; i < population->clients[client].n; i++)
            exact[population->clients[client].items[i]]++;
    for (uint32_t item = 0; item < population->n_items; item++)
        counts[item] = (float)exact[item];
    free(exact);
    return counts;
}

static void score(const void *model, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const float *counts = model;
    (void)client;
    for (size_t i = 0; i < n; i++)
        scores[i] = counts[items[i]];
}

const struct frs_non_federated_model frs_non_federated_model_popularity = {
    .plugin = {.name = "popularity",
        .summary = "ranks items by their number of training interactions",
        .source = "common baseline"},
    .fit = fit,
    .destroy = free,
    .score = score,
};
