#include "algorithms/learners/rating_mf.h"
#include "algorithms/kernels/rating_sgd.h"
#include "sim/base/memory.h"
#include "sim/base/rng.h"

#include <stdlib.h>
#include <string.h>

static void init_items(struct frs_rating_mf *model, double sd) {
    const struct frs_population *population = model->setup.population;
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT);
    model->items = frs_alloc_aligned(population->n_items * (model->dim + 1), sizeof *model->items);
    for (uint32_t i = 0; i < population->n_items; i++)
        frs_rng_fill_normal(&rng, model->items + i * (model->dim + 1), model->dim, sd);
}

static float mean(const float *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i];
    return (float)(sum / (double)n);
}

static void init_users(struct frs_rating_mf *model, double sd) {
    const struct frs_population *population = model->setup.population;
    model->users = frs_alloc_aligned(population->n_clients * (model->dim + 1), sizeof *model->users);
    for (uint32_t u = 0; u < population->n_clients; u++) {
        const struct frs_client_data *data = &population->clients[u];
        struct frs_rng rng = frs_rng_stream(population->seed, u, 0, 0, FRS_RNG_INIT_PRIVATE);
        float *user = model->users + u * (model->dim + 1);
        frs_rng_fill_normal(&rng, user, model->dim, sd);
        if (data->n > 0)
            user[model->dim] = mean(data->ratings, data->n) - model->offset;
    }
}

void frs_rating_mf_init(
    struct frs_rating_mf *model, const struct frs_values *values, const struct frs_learner_setup *setup) {
    const struct frs_population *population = setup->population;
    size_t dim = (size_t)frs_values_int(values, "dim");
    double sd = frs_values_real(values, "init_sd");
    *model = (struct frs_rating_mf){.dim = dim,
        .epochs = (uint32_t)frs_values_int(values, "epochs"),
        .rate = (float)frs_values_real(values, "learning_rate"),
        .decay = (float)frs_values_real(values, "decay"),
        .offset = (population->rating_min + population->rating_max) / 2,
        .setup = *setup};
    init_items(model, sd);
    if (!setup->timing_only)
        init_users(model, sd);
}

void frs_rating_mf_fini(struct frs_rating_mf *model) {
    free(model->items);
    free(model->users);
}

size_t frs_rating_mf_parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    (void)payload;
    const struct frs_rating_mf *model = context;
    out[0] =
        (struct frs_part){.name = "items", .n_rows = model->setup.population->n_items, .dim = model->dim + 1};
    return 1;
}

size_t frs_rating_mf_private_values(const void *context) {
    return ((const struct frs_rating_mf *)context)->dim + 1;
}

struct frs_tables frs_rating_mf_tables(const void *context) {
    const struct frs_rating_mf *model = context;
    return (struct frs_tables){.part = {model->items}};
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
        .rate = model->rate,
        .decay = model->decay,
        .order = frs_arena_take(arena, n, sizeof(uint32_t))};
    uint32_t limit = training->epochs, epochs = limit > 0 && limit < model->epochs ? limit : model->epochs;
    struct frs_rng shuffle = frs_rng_stream(
        model->setup.population->seed, data->client, training->round, training->attempt, FRS_RNG_SHUFFLE);
    double loss = 0;
    memcpy(sgd.user, model->users + data->client * width, width * sizeof(float));
    for (size_t i = 0; i < n; i++)
        memcpy(
            sgd.rows + i * width, training->tables->part[0] + data->items[i] * width, width * sizeof(float));
    for (uint32_t epoch = 0; epoch < epochs; epoch++)
        loss = frs_rating_sgd_epoch(&sgd, &shuffle);
    *out = (struct frs_trained){
        .upload = {{.n_rows = model->setup.population->n_items,
            .dim = width,
            .n = n,
            .ids = data->items,
            .values = sgd.rows}},
        .private_state = sgd.user,
        .private_bytes = width * sizeof(float),
        .samples = (uint32_t)n,
        .flop = epochs * (double)n * frs_rating_sgd_flop(model->dim),
        .processed = epochs * (double)n,
        .loss = loss,
        .epochs = epochs,
    };
}

void frs_rating_mf_commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct frs_rating_mf *model = context;
    if (private_bytes > 0) /* who has no ratings has learnt nothing */
        memcpy(model->users + client * (model->dim + 1), private_state, private_bytes);
}

void frs_rating_mf_archive(void *context, struct frs_archive *archive) {
    struct frs_rating_mf *model = context;
    const struct frs_population *population = model->setup.population;
    size_t row_bytes = (model->dim + 1) * sizeof(float);
    frs_archive_bytes(archive, model->items, population->n_items * row_bytes);
    frs_archive_bytes(archive, model->users, population->n_clients * row_bytes);
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
