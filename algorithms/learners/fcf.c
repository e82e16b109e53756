/* FCF: federated collaborative filtering (Ammad-ud-din et al. 2019), for ratings and for implicit
 * feedback.
 *
 * A client solves for its own vector on the received item table, computes the gradients of items and
 * uploads them. The server sums what arrived, adds the decay (equation 7) and makes one step of Adam. User
 * vectors stay private.
 *
 * `fcf` is the form for ratings with which Lin et al. 2021 (FedRec) compare: ridge regression over the
 * items that a client has rated, and gradients of these. The FCF of Liu et al. 2024 (RFRec) is another
 * model (fcf_code.c). `fcf_implicit` is the paper's form: every item of the client is a 1 with confidence
 * 1 + alpha, every other one a 0 with confidence 1 (equations 1 to 8), so that every client sends a
 * gradient of every item. */
#include "algorithms/kernels/steps/rating_gradient.h"
#include "algorithms/kernels/algebra/ridge.h"
#include "algorithms/models/fcf_model.h"
#include "sim/base/memory.h"

#include <math.h>
#include <string.h>

static const char *const variant_names[] = {"paper", "published_code", NULL};

const struct frs_param frs_fcf_params[] = {
    {.key = "variant",
        .type = FRS_CHOICE,
        .initial = "paper",
        .choices = variant_names,
        .help = "paper: ridge regression on the clients; published_code: FCF as RFRec's code compares with "
                "it, logistic predictions "
                "of ratings scaled to 0 .. 1, an Adam on both sides, decays times lengths that are not "
                "squared; its settings are "
                "those of method.preset = \"fcf_published_code\""},
    FRS_FCF_PARAMS("30", "0.02"),
    {.key = "adam_rate",
        .type = FRS_REAL,
        .initial = "0.05",
        .min = 1e-9,
        .max = 10,
        .help = "published_code: step size of the Adam every client keeps"},
    {0}};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    return frs_fcf_begin(sizeof(struct frs_fcf), values, setup);
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_client_data *data = training->data;
    struct frs_rated_items rated = {data->items, data->ratings, data->n};
    frs_fcf_train_on(context, training, &rated, &rated, arena, out);
}

const struct frs_learner frs_learner_fcf = {
    .plugin = {.name = "fcf",
        .summary = "federated collaborative filtering: clients solve for their vectors, the server steps by "
                   "their items' gradients",
        .source = "Ammad-ud-din et al. 2019, for ratings as in Lin et al. 2021 (FedRec)",
        .params = frs_fcf_params},
    .uploads_updates = true,
    .uploads_gradients = true,
    .own_step = FRS_SERVER_ADAM_OWN_STEP,
    .draws_nothing = true,
    .predicts_ratings = true,
    .published_code = &frs_fcf_published_code,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .train = train,
    .aggregate = frs_fcf_aggregate,
    .gather = frs_model_gather,
    .aggregate_flop = frs_fcf_aggregate_flop,
    .score = frs_fcf_score,
};

/* ---- implicit feedback ----------------------------------------------------------------------- */

struct implicit {
    struct frs_fcf fcf;
    float alpha;
};

static const struct frs_param implicit_params[] = {
    FRS_FCF_PARAMS("3", "0.01"),
    {.key = "alpha",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "how much more than 1 the confidence in an interaction is"},
    {0},
};

static void *create_implicit(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct implicit *model = frs_fcf_begin(sizeof *model, values, setup);
    model->alpha = (float)frs_values_real(values, "alpha");
    return model;
}

/* Σ over all items (p − x·y)² + alpha Σ over its own (1 − x·y)²: the own ones once more, times √alpha. */
static double solve(const struct implicit *model, const struct frs_client_data *data, const float *table,
    struct frs_arena *arena, float *x) {
    size_t dim = model->fcf.dim, n_items = model->fcf.base.setup.population->n_items, n = n_items + data->n;
    float *rows = frs_arena_take(arena, n * dim, sizeof *rows), root = sqrtf(model->alpha);
    float *targets = frs_arena_take_zeroed(arena, n, sizeof *targets);
    memcpy(rows, table, n_items * dim * sizeof *rows);
    for (size_t i = 0; i < data->n; i++) {
        targets[data->items[i]] = 1;
        targets[n_items + i] = root;
        for (size_t k = 0; k < dim; k++)
            rows[(n_items + i) * dim + k] = root * table[data->items[i] * dim + k];
    }
    return frs_ridge(rows, targets, n, dim, model->fcf.user_decay, arena, x);
}

/* −2 c (p − x·y) x for every item. Returns Σ c (p − x·y)². */
static double differentiate(const struct implicit *model, const struct frs_client_data *data, float *rows,
    const float *x, struct frs_arena *arena) {
    size_t dim = model->fcf.dim, n_items = model->fcf.base.setup.population->n_items;
    float *own = frs_arena_take(arena, data->n * dim, sizeof *own);
    float *targets = frs_arena_take_zeroed(arena, n_items, sizeof *targets);
    float *ones = frs_arena_take(arena, data->n, sizeof *ones);
    for (size_t i = 0; i < data->n; i++) {
        targets[data->items[i]] = ones[i] = 1;
        memcpy(own + i * dim, rows + data->items[i] * dim, dim * sizeof *own);
    }
    double squared = frs_rating_gradient(rows, targets, n_items, dim, x);
    squared += (double)model->alpha * frs_rating_gradient(own, ones, data->n, dim, x);
    for (size_t i = 0; i < data->n; i++)
        for (size_t k = 0; k < dim; k++)
            rows[data->items[i] * dim + k] += model->alpha * own[i * dim + k];
    return squared;
}

/* A client without items knows nothing about any. */
static void train_implicit(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    static const uint32_t no_ids[1];
    const struct implicit *model = context;
    const struct frs_client_data *data = training->data;
    size_t dim = model->fcf.dim, n_items = model->fcf.base.setup.population->n_items;
    float *x = frs_arena_take_zeroed(arena, dim + 1, sizeof *x);
    float *rows = frs_arena_take(arena, n_items * dim, sizeof *rows);
    x[dim] = 1 + model->fcf.users[data->client * (dim + 1) + dim];
    *out = (struct frs_trained){.upload = {{.n_rows = n_items, .dim = dim, .ids = no_ids, .values = rows}},
        .kept = {.rows = {x}},
        .samples = (uint32_t)data->n,
        .processed = (double)data->n};
    if (data->n == 0)
        return;
    memcpy(rows, training->tables->part[0], n_items * dim * sizeof *rows);
    out->flop = solve(model, data, training->tables->part[0], arena, x) +
                (double)(n_items + data->n) * (4 * (double)dim + 3);
    out->loss = differentiate(model, data, rows, x, arena) / (double)n_items;
    out->upload[0].n = n_items;
    out->upload[0].ids = NULL;
}

const struct frs_learner frs_learner_fcf_implicit = {
    .plugin = {.name = "fcf_implicit",
        .summary = "FCF for implicit feedback: a confidence for every item, and a gradient of every item",
        .source = "Ammad-ud-din et al. 2019, equations 1 to 8",
        .params = implicit_params},
    .uploads_updates = true,
    .uploads_gradients = true,
    .own_step = FRS_SERVER_ADAM_OWN_STEP,
    .draws_nothing = true,
    .averaging = FRS_AVERAGES_NOT,
    .create = create_implicit,
    .train = train_implicit,
    .aggregate = frs_fcf_aggregate,
    .gather = frs_model_gather,
    .aggregate_flop = frs_fcf_aggregate_flop,
    .score = frs_fcf_score,
};
