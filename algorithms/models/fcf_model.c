#include "algorithms/models/fcf_model.h"
#include "algorithms/kernels/products.h"
#include "algorithms/kernels/steps/rating_gradient.h"
#include "algorithms/kernels/algebra/ridge.h"

#include <string.h>

void *frs_fcf_begin(size_t bytes, const struct frs_values *values, const struct frs_learner_setup *setup) {
    struct frs_fcf *model = frs_model_create(bytes, setup);
    size_t dim = model->dim = (size_t)frs_values_int(values, "dim"), n_items = setup->population->n_items;
    struct frs_table items = {
        .name = "items", .rows = n_items, .dim = dim, .start = FRS_NORMAL, .sd = frs_init_sd(values, dim)};
    struct frs_table users = items;
    users.owner = FRS_OF_CLIENTS;
    users.dim = dim + 1;
    users.drawn = dim;
    users.uncounted = 1;
    model->user_decay = frs_values_real(values, "user_decay");
    model->items = frs_model_table(&model->base, items);
    model->users = frs_model_table(&model->base, users);
    model->server = frs_server_adam_begin(&model->base, n_items, dim,
        frs_values_real(values, "server_learning_rate"), 2 * frs_values_real(values, "item_decay"));
    frs_model_counter(&model->base, &model->server.step);
    return model;
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
        .upload = {{.n_rows = model->base.setup.population->n_items,
            .dim = dim,
            .n = sent->n,
            .ids = sent->ids,
            .values = rows}},
        .kept = {.rows = {u}},
        .samples = (uint32_t)training->data->n,
        .flop = flop + (double)sent->n * (4 * (double)dim + 3),
        .processed = (double)sent->n,
        .loss = sent->n > 0 ? squared / (double)sent->n : 0,
    };
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

void frs_fcf_score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct frs_fcf *model = context;
    frs_table_products(
        model->users + client * (model->dim + 1), model->dim, held->part[0], items, n, 0, scores);
}
