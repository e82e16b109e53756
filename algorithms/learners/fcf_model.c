#include "algorithms/learners/fcf_model.h"
#include "algorithms/kernels/rating_gradient.h"
#include "algorithms/kernels/ridge.h"
#include "algorithms/learners/mf_local.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void init_users(struct frs_fcf *model, double sd) {
    const struct frs_population *population = model->setup.population;
    size_t length = model->dim + 1;
    model->users = frs_alloc_aligned(population->n_clients * length, sizeof *model->users);
    for (uint32_t u = 0; u < population->n_clients; u++) {
        struct frs_rng rng = frs_rng_stream(population->seed, u, 0, 0, FRS_RNG_INIT_PRIVATE);
        frs_rng_fill_normal(&rng, model->users + u * length, model->dim, sd);
    }
}

void frs_fcf_init(
    struct frs_fcf *model, const struct frs_values *values, const struct frs_learner_setup *setup) {
    const struct frs_population *population = setup->population;
    size_t dim = (size_t)frs_values_int(values, "dim");
    *model = (struct frs_fcf){.dim = dim,
        .user_decay = frs_values_real(values, "user_decay"),
        .server = frs_server_adam_begin(population->n_items, dim,
            frs_values_real(values, "server_learning_rate"), 2 * frs_values_real(values, "item_decay")),
        .setup = *setup,
        .items = frs_alloc_aligned(population->n_items * dim, sizeof *model->items)};
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT);
    frs_rng_fill_normal(&rng, model->items, population->n_items * dim, frs_init_sd(values, dim));
    if (!setup->timing_only)
        init_users(model, frs_init_sd(values, dim));
}

void frs_fcf_destroy(void *context) {
    struct frs_fcf *model = context;
    frs_server_adam_fini(&model->server);
    free(model->items);
    free(model->users);
    free(model);
}

size_t frs_fcf_parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    (void)payload;
    const struct frs_fcf *model = context;
    out[0] =
        (struct frs_part){.name = "items", .n_rows = model->setup.population->n_items, .dim = model->dim};
    return 1;
}

size_t frs_fcf_private_values(const void *context) {
    return ((const struct frs_fcf *)context)->dim;
}

struct frs_tables frs_fcf_tables(const void *context) {
    const struct frs_fcf *model = context;
    return (struct frs_tables){.part = {model->items}};
}

static float *gather(
    const float *table, size_t dim, const struct frs_rated_items *items, struct frs_arena *arena) {
    float *rows = frs_arena_take(arena, items->n * dim, sizeof *rows);
    for (size_t i = 0; i < items->n; i++)
        memcpy(rows + i * dim, table + items->ids[i] * dim, dim * sizeof *rows);
    return rows;
}

void frs_fcf_train_on(const struct frs_fcf *model, const struct frs_training *training,
    const struct frs_rated_items *own, const struct frs_rated_items *sent, struct frs_arena *arena,
    struct frs_trained *out) {
    const float *table = training->tables->part[0];
    size_t dim = model->dim;
    float *u = frs_arena_take(arena, dim + 1, sizeof *u), *rows = gather(table, dim, sent, arena);
    const float *own_rows = own == sent ? rows : gather(table, dim, own, arena);
    double flop = frs_ridge(own_rows, own->ratings, own->n, dim, model->user_decay, arena, u);
    u[dim] = 1 + model->users[training->data->client * (dim + 1) + dim];
    double squared = frs_rating_gradient(rows, sent->ratings, sent->n, dim, u);
    *out = (struct frs_trained){
        .upload = {{.n_rows = model->setup.population->n_items,
            .dim = dim,
            .n = sent->n,
            .ids = sent->ids,
            .values = rows}},
        .private_state = u,
        .private_bytes = (dim + 1) * sizeof *u,
        .samples = (uint32_t)training->data->n,
        .flop = flop + (double)sent->n * (4 * (double)dim + 3),
        .processed = (double)sent->n,
        .loss = sent->n > 0 ? squared / (double)sent->n : 0,
    };
}

void frs_fcf_commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct frs_fcf *model = context;
    memcpy(model->users + client * (model->dim + 1), private_state, private_bytes);
}

void frs_fcf_aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct frs_fcf *model = context;
    frs_server_adam_step(&model->server, contributions, n, 0, arena, model->items);
}

double frs_fcf_aggregate_flop(const void *context, size_t n, double values) {
    const struct frs_fcf *model = context;
    (void)n;
    return frs_server_adam_flop(&model->server, values);
}

void frs_fcf_archive(void *context, struct frs_archive *archive) {
    struct frs_fcf *model = context;
    const struct frs_population *population = model->setup.population;
    frs_archive_bytes(archive, model->items, population->n_items * model->dim * sizeof *model->items);
    frs_archive_bytes(archive, model->users, population->n_clients * (model->dim + 1) * sizeof *model->users);
    frs_server_adam_archive(&model->server, archive);
}

void frs_fcf_score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct frs_fcf *model = context;
    frs_mf_score(model->users + client * (model->dim + 1), held->part[0], model->dim, items, n, scores);
}
