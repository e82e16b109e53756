#include "algorithms/non_federated/epochs.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

/* A population without its held-out ratings, and these. */
struct division {
    struct frs_population kept;
    struct frs_client_data *kept_clients, *held_out; /* [n_clients] */
    uint32_t *items;                                 /* behind both, */
    float *ratings;                                  /* client by client: kept ones first */
};

/* Both parts stay ascending. */
static void divide_client(const struct frs_client_data *data, struct frs_rng *rng, double share,
    struct division *division, size_t at) {
    size_t wanted = (size_t)llround(share * (double)data->n);
    size_t n_held_out = data->n == 0       ? 0
                        : wanted < data->n ? wanted
                                           : data->n - 1,
           n_kept = data->n - n_held_out;
    uint32_t *drawn = frs_alloc(n_held_out, sizeof *drawn);
    bool *is_held_out = frs_alloc(data->n, sizeof *is_held_out);
    uint32_t *items = division->items + at;
    float *ratings = division->ratings + at;
    if (n_held_out > 0)
        frs_rng_sample(rng, (uint32_t)data->n, (uint32_t)n_held_out, drawn);
    for (size_t i = 0; i < n_held_out; i++)
        is_held_out[drawn[i]] = true;
    for (size_t i = 0, kept = 0, out = n_kept; i < data->n; i++) {
        size_t place = is_held_out[i] ? out++ : kept++;
        items[place] = data->items[i];
        ratings[place] = data->ratings[i];
    }
    division->kept_clients[data->client] = (struct frs_client_data){.client = data->client,
        .items = items,
        .ratings = ratings,
        .n = n_kept,
        .excluded = items,
        .n_excluded = n_kept};
    division->held_out[data->client] = (struct frs_client_data){
        .client = data->client, .items = items + n_kept, .ratings = ratings + n_kept, .n = n_held_out};
    free(is_held_out);
    free(drawn);
}

static struct division divide(const struct frs_population *population, double share) {
    struct division division = {.kept = *population,
        .kept_clients = frs_alloc(population->n_clients, sizeof *division.kept_clients),
        .held_out = frs_alloc(population->n_clients, sizeof *division.held_out)};
    size_t n = 0, at = 0;
    for (uint32_t client = 0; client < population->n_clients; client++)
        n += population->clients[client].n;
    division.items = frs_alloc(n, sizeof *division.items);
    division.ratings = frs_alloc(n, sizeof *division.ratings);
    for (uint32_t client = 0; client < population->n_clients; client++) {
        struct frs_rng rng = frs_rng_stream(population->seed, client, 0, 2, FRS_RNG_NON_FEDERATED);
        divide_client(&population->clients[client], &rng, share, &division, at);
        at += population->clients[client].n;
    }
    division.kept.clients = division.kept_clients;
    return division;
}

static void division_fini(struct division *division) {
    free(division->kept_clients);
    free(division->held_out);
    free(division->items);
    free(division->ratings);
}

/* Σ e² over the held-out ratings. */
static double squared_error(const struct frs_iterative *iterative, const void *model,
    const struct division *division, float *predicted) {
    double sum = 0;
    for (uint32_t client = 0; client < division->kept.n_clients; client++) {
        const struct frs_client_data *data = &division->held_out[client];
        iterative->score(model, client, data->items, data->n, predicted);
        for (size_t i = 0; i < data->n; i++) {
            double error = (double)frs_rating_clip(&division->kept, predicted[i]) - (double)data->ratings[i];
            sum += error * error;
        }
    }
    return sum;
}

uint32_t frs_epochs_choose(const struct frs_iterative *iterative, const struct frs_values *values,
    const struct frs_population *population, const atomic_bool *stopped) {
    uint32_t most = (uint32_t)frs_values_int(values, "most_epochs"), best = 1;
    struct division division = divide(population, frs_values_real(values, "held_out"));
    void *model = iterative->begin(values, &division.kept);
    float *predicted = frs_alloc(population->n_items, sizeof *predicted);
    double least = INFINITY;
    for (uint32_t epoch = 0; epoch < most && epoch < best + (most + 3) / 4 && !frs_is_stopped(stopped);
         epoch++) {
        iterative->pass(model, epoch);
        double error = squared_error(iterative, model, &division, predicted);
        if (error < least) {
            least = error;
            best = epoch + 1;
        }
    }
    free(predicted);
    iterative->destroy(model);
    division_fini(&division);
    return best;
}

void *frs_epochs_fit(const struct frs_iterative *iterative, const struct frs_values *values,
    const struct frs_population *population, const atomic_bool *stopped) {
    uint32_t epochs = (uint32_t)frs_values_int(values, "epochs");
    if (epochs == 0)
        epochs = frs_epochs_choose(iterative, values, population, stopped);
    void *model = iterative->begin(values, population);
    for (uint32_t epoch = 0; epoch < epochs && !frs_is_stopped(stopped); epoch++)
        iterative->pass(model, epoch);
    return model;
}
