#include "algorithms/models/rating_mf.h"
#include "algorithms/kernels/steps/rating_sgd.h"
#include "algorithms/samples.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <string.h>

static float mean(const float *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    return (float)(sum / (double)n);
}

/* Biases begin at zero, but for a user's, which begins at its mean rating. */
static void declare(struct frs_rating_mf *model, double sd) {
    const struct frs_population *population = model->base.setup.population;
    size_t dim = model->dim;
    struct frs_table items = {.name = "items",
        .rows = population->n_items,
        .dim = dim + 1,
        .start = FRS_NORMAL,
        .sd = sd,
        .drawn = dim};
    struct frs_table users = items;
    users.name = "users";
    users.owner = FRS_OF_CLIENTS;
    model->items = frs_model_table(&model->base, items);
    model->users = frs_model_table(&model->base, users);
    for (uint32_t u = 0; model->users && u < population->n_clients; u++) {
        const struct frs_client_data *data = &population->clients[u];
        if (data->n > 0)
            model->users[u * (dim + 1) + dim] = mean(data->ratings, data->n) - model->offset;
    }
}

void *frs_rating_mf_begin(
    size_t bytes, const struct frs_values *values, const struct frs_learner_setup *setup) {
    const struct frs_population *population = setup->population;
    struct frs_rating_mf *model = frs_model_create(bytes, setup);
    model->dim = (size_t)frs_values_int(values, "dim");
    frs_epochs_read(values, &model->epochs, &model->steps);
    model->rate = (float)frs_values_real(values, "learning_rate");
    model->decay = (float)frs_values_real(values, "decay");
    model->offset = (population->rating_min + population->rating_max) / 2;
    declare(model, frs_values_real(values, "init_sd"));
    return model;
}

void frs_rating_mf_train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_rating_mf *model = context;
    const struct frs_client_data *data = training->data;
    size_t width = model->dim + 1, n = data->n;
    struct frs_rating_sgd sgd = {.n = n,
        .dim = model->dim,
        .ratings = data->ratings,
        .offset = model->offset,
        .user = frs_arena_take(arena, width, sizeof(float)),
        .rows = frs_arena_take(arena, n * width, sizeof(float)),
        .rate = model->rate * frs_training_rate_scale(training),
        .decay = model->decay,
        .order = frs_arena_take(arena, n, sizeof(uint32_t))};
    struct frs_extent extent = frs_extent_of(model->epochs, model->steps, n, 1);
    if (training->epochs > 0 && training->epochs < extent.passes)
        extent = (struct frs_extent){training->epochs, n};
    double visited = (double)frs_extent_samples(extent, extent.passes, n);
    struct frs_rng shuffle = frs_rng_stream(model->base.setup.population->seed, data->client, training->round,
        training->attempt, FRS_RNG_SHUFFLE);
    double loss = 0;
    memcpy(sgd.user, model->users + data->client * width, width * sizeof(float));
    for (size_t i = 0; i < n; i++)
        memcpy(
            sgd.rows + i * width, training->tables->part[0] + data->items[i] * width, width * sizeof(float));
    for (size_t pass = 0; pass < extent.passes; pass++)
        loss = frs_rating_sgd_epoch(&sgd, frs_extent_of_pass(extent, pass, n), &shuffle);
    *out = (struct frs_trained){
        .upload = {frs_model_rows(&model->base, 0, n, data->items, sgd.rows)},
        .kept = {.rows = {sgd.user}},
        .samples = (uint32_t)n,
        .flop = visited * frs_rating_sgd_flop(model->dim),
        .processed = visited,
        .loss = loss,
        .epochs = (uint32_t)extent.passes,
    };
}

void frs_rating_mf_score(const void *context, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    const struct frs_rating_mf *model = context;
    size_t dim = model->dim;
    const float *user = model->users + client * (dim + 1);
    for (size_t i = 0; i < n; i++) {
        const float *row = held->part[0] + items[i] * (dim + 1);
        scores[i] = model->offset + user[dim] + row[dim];
        for (size_t k = 0; k < dim; k++)
            scores[i] += user[k] * row[k];
    }
}
