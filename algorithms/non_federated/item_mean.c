/* Item mean: predicts a rating as global mean + item offset + user offset, both shrunk towards 0.
 *
 *     b_i = Σ_u (r_ui − μ) / (shrink_items + n_i)        b_u = Σ_i (r_ui − μ − b_i) / (shrink_users + n_u)
 *
 * Source: Koren, "Factor in the neighbors", TKDD 4(1), 2010, section 2.1. */
#include "algorithms/non_federated.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

struct model {
    double mean;
    double *items; /* [n_items] */
    double *users; /* [n_clients] */
};

static double global_mean(const struct frs_population *population) {
    double sum = 0;
    size_t n = 0;
    for (uint32_t client = 0; client < population->n_clients; client++) {
        const struct frs_client_data *data = &population->clients[client];
        for (size_t i = 0; i < data->n; i++)
            sum += data->ratings[i];
        n += data->n;
    }
    return n ? sum / (double)n : 0;
}

static void fit_items(struct model *model, const struct frs_population *population, double shrink) {
    size_t *counts = frs_alloc(population->n_items, sizeof *counts);
    for (uint32_t client = 0; client < population->n_clients; client++) {
        const struct frs_client_data *data = &population->clients[client];
        for (size_t i = 0; i < data->n; i++) {
            model->items[data->items[i]] += data->ratings[i] - model->mean;
            counts[data->items[i]]++;
        }
    }
    for (uint32_t item = 0; item < population->n_items; item++)
        if (counts[item])
            model->items[item] /= shrink + (double)counts[item];
    free(counts);
}

static void fit_users(struct model *model, const struct frs_population *population, double shrink) {
    for (uint32_t client = 0; client < population->n_clients; client++) {
        const struct frs_client_data *data = &population->clients[client];
        double sum = 0;
        for (size_t i = 0; i < data->n; i++)
            sum += data->ratings[i] - model->mean - model->items[data->items[i]];
        model->users[client] = data->n ? sum / (shrink + (double)data->n) : 0;
    }
}

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    (void)stopped;
    struct model *model = frs_alloc(1, sizeof *model);
    model->mean = global_mean(population);
    model->items = frs_alloc(population->n_items, sizeof *model->items);
    model->users = frs_alloc(population->n_clients, sizeof *model->users);
    fit_items(model, population, frs_values_real(values, "shrink_items"));
    fit_users(model, population, frs_values_real(values, "shrink_users"));
    return model;
}

static void destroy(void *memory) {
    struct model *model = memory;
    free(model->items);
    free(model->users);
    free(model);
}

static void score(const void *memory, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct model *model = memory;
    for (size_t i = 0; i < n; i++)
        scores[i] = (float)(model->mean + model->items[items[i]] + model->users[client]);
}

static const struct frs_param params[] = {
    {.key = "shrink_items",
        .type = FRS_REAL,
        .initial = "5",
        .max = 1e6,
        .help = "weight of the global mean beside the ratings of an item"},
    {.key = "shrink_users",
        .type = FRS_REAL,
        .initial = "5",
        .max = 1e6,
        .help = "weight of the item mean beside the ratings of a user"},
    {.key = NULL},
};

const struct frs_non_federated_model frs_non_federated_model_item_mean = {
    .plugin = {.name = "item_mean",
        .summary = "predicts ratings from shrunken item and user means",
        .source = "Koren, TKDD 4(1), 2010, section 2.1",
        .params = params},
    .predicts_ratings = true,
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
