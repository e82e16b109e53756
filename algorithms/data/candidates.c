#include "algorithms/data/candidates.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "algorithms/data/cached.h"
#include "algorithms/data/split.h"
#include "algorithms/data/users_each.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>
#include <string.h>

/* The `rank`-th item, counted from 0, that is not among `taken` (ascending). Taken item i has taken[i] − i
 * free items below it. */
static uint32_t free_item(const uint32_t *taken, size_t n, uint32_t rank) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (taken[middle] - middle <= rank)
            low = middle + 1;
        else
            high = middle;
    }
    return rank + (uint32_t)low;
}

void frs_candidates_look_at(const struct frs_data *data, uint32_t client, size_t n_interactions,
    struct frs_candidates_shortage *shortage) {
    size_t n_free = data->population.n_items - n_interactions;
    if (n_free >= data->n_negatives)
        return;
    if (shortage->n_clients++ > 0 && n_free >= shortage->least)
        return;
    shortage->client = client;
    shortage->least = n_free;
}

enum frs_status frs_candidates_check(const struct frs_data *data,
    const struct frs_candidates_shortage *shortage, const struct frs_values *evaluation,
    struct frs_errors *errors) {
    if (shortage->n_clients == 0)
        return FRS_OK;
    char *allowed =
        shortage->least > 0
            ? frs_format("%zu would do for all, or evaluation.candidates = \"full\"", shortage->least)
            : frs_strdup("none would do for all, but evaluation.candidates = \"full\" does");
    enum frs_status status = frs_values_error(evaluation, "negatives", errors,
        "%u of %u clients have too few items without interaction to draw %zu from (client %u only %zu); %s",
        shortage->n_clients, data->population.n_clients, data->n_negatives, shortage->client, shortage->least,
        allowed);
    free(allowed);
    return status;
}

static void draw_for(void *context, uint32_t first, uint32_t end, size_t thread) {
    struct frs_data *data = context;
    const struct frs_population *population = &data->population;
    uint32_t *taken = frs_alloc(population->n_items, sizeof *taken), k = (uint32_t)data->n_negatives;
    (void)thread;
    for (uint32_t client = first; client < end; client++) {
        size_t n = frs_split_all_items(data, client, taken);
        uint32_t *negatives = data->negatives + (size_t)client * k;
        struct frs_rng rng = frs_rng_stream(population->seed, client, 0, 0, FRS_RNG_EVALUATION);
        frs_rng_sample(&rng, (uint32_t)(population->n_items - n), k, negatives);
        for (uint32_t i = 0; i < k; i++)
            negatives[i] = free_item(taken, n, negatives[i]);
    }
    free(taken);
}

static void draw_negatives(struct frs_data *data) {
    frs_users_each(draw_for, data, data->population.n_clients);
}

enum frs_status frs_candidates_draw(
    struct frs_data *data, const struct frs_values *evaluation, struct frs_errors *errors) {
    uint32_t n_clients = data->population.n_clients;
    struct frs_candidates_shortage shortage = {0};
    for (uint32_t client = 0; client < n_clients; client++)
        frs_candidates_look_at(
            data, client, data->clients[client].n + frs_split_held_out(data, client), &shortage);
    enum frs_status status = frs_candidates_check(data, &shortage, evaluation, errors);
    if (status != FRS_OK)
        return status;
    data->negatives = frs_alloc((size_t)n_clients * data->n_negatives, sizeof *data->negatives);
    frs_cached_negatives(data, draw_negatives);
    return FRS_OK;
}
