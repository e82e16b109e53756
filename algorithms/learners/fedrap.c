/* FedRAP: a global item table C that travels, and a table D per client that does not (Li et al. 2024,
 * algorithm 1). A client scores an item by its own vector times the sum of both rows.
 *
 * variant = paper: σ(⟨u, d_j + c_j⟩), sums, λ and μ on a curriculum, and μ‖C‖₁ by soft thresholding
 * (equation 13), because plain subgradient steps never give an exact zero. Distance and sparsity act on
 * the rows of the batch, so rows that a client did not touch stay as received. −λ‖D − C‖² (its appendix
 * prints +) is unbounded below, so it ends at `distance_bound` per value.
 *
 * variant = published_code: σ(w · (d_j + c_j) + b) with a score head per client, means, constant λ and μ,
 * a subgradient, weight decay on everything, decaying rates, early stop, and the gradient of a loss that
 * is taken after the sigmoid. Decay alone changes the untouched rows, all by one factor: the upload
 * contains this factor instead of the rows, and the server applies it.
 *
 * D is kept by touched rows. An untouched row equals that of the initial D, times the factor of the decay
 * so far. */
#include "algorithms/kernels/products.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/learners/fedrap_model.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <string.h>

#define CHUNK 64u /* rows of D that are looked for at a time */
#define LINE 16u  /* floats that come from memory together */

/* --- creation --- */

/* User vectors are drawn; score heads are the same for all clients, and have a bias to count. */
static void declare_vectors(struct frs_fedrap *model, const struct frs_values *values) {
    struct frs_table vectors = {.name = "vectors", .owner = FRS_OF_CLIENTS, .dim = model->dim + 1};
    const struct frs_population *population = model->base.setup.population;
    if (model->variant == FRS_FEDRAP_PAPER) {
        vectors.start = FRS_NORMAL;
        vectors.sd = frs_values_real(values, "user_init_sd");
        vectors.drawn = model->dim;
        vectors.uncounted = 1;
    }
    model->vectors = frs_model_table(&model->base, vectors);
    if (model->variant == FRS_FEDRAP_PAPER || !model->vectors)
        return;
    double width = 1 / sqrt((double)model->dim);
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT_PRIVATE);
    for (size_t k = 0; k <= model->dim; k++)
        model->vectors[k] = (float)(width * (2 * frs_rng_unit(&rng) - 1));
    for (uint32_t u = 1; u < population->n_clients; u++)
        memcpy(model->vectors + u * vectors.dim, model->vectors, vectors.dim * sizeof *model->vectors);
}

/* A table that is not trained is one of zeros. */
static struct frs_table item_table(const struct frs_fedrap *model, bool trained, double sd) {
    return (struct frs_table){.name = "items",
        .rows = model->base.setup.population->n_items,
        .dim = model->dim,
        .start = FRS_NORMAL,
        .sd = trained ? sd : 0};
}

static const struct frs_store_type gathered = {.destroy = frs_fedrap_forget};

static void declare(struct frs_fedrap *model, const struct frs_values *values) {
    struct frs_model *base = &model->base;
    size_t n_clients = base->setup.population->n_clients, n_items = base->setup.population->n_items;
    double sd = (double)frs_fedrap_by_variant(values, "init_sd", 0.1f, 1, model->variant == FRS_FEDRAP_PAPER);
    struct frs_table start = item_table(model, model->local.trains_own, sd);
    model->items = frs_model_table(base, item_table(model, model->local.trains_shared, sd));
    if (model->local.weight_decay > 0)
        frs_model_table(
            base, (struct frs_table){.name = "kept", .owner = FRS_OF_UPLOAD, .rows = 1, .dim = 1});
    declare_vectors(model, values);
    model->kept = frs_model_table(
        base, (struct frs_table){.name = "kept", .owner = FRS_OF_CLIENTS, .dim = 1, .uncounted = 1});
    model->own = frs_kept_tables_declare(base, n_items, model->dim);
    frs_model_store(base, (struct frs_store){.type = &gathered, .self = &model->gathered});
    if (base->setup.timing_only)
        return;
    start.owner = FRS_OF_SERVER;
    start.stream = 1;
    start.transient = true;
    model->start = frs_model_table(base, start);
    for (size_t u = 0; u < n_clients; u++)
        model->kept[u] = 1;
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_fedrap *model = frs_model_create(sizeof *model, setup);
    if (!frs_fedrap_read(model, values, errors)) {
        frs_model_destroy(model);
        return NULL;
    }
    declare(model, values);
    return model;
}

/* --- the client --- */

/* Rows of D, divided by the decay so far. They lie anywhere in the pool of all clients and are requested
 * together, so that they arrive from memory together. */
static void own_rows(
    const struct frs_fedrap *model, uint32_t client, const uint32_t *items, size_t n, const float **rows) {
    frs_private_rows_find_all(&model->own->rows[client], &model->own->pool, items, n, rows);
    for (size_t i = 0; i < n; i++) {
        rows[i] = rows[i] ? rows[i] : model->start + items[i] * model->dim;
        for (size_t k = 0; k < model->dim; k += LINE)
            __builtin_prefetch(rows[i] + k);
    }
}

/* The rows of C and D that this participation will touch. */
static void gather(const struct frs_fedrap *model, uint32_t client, const float *items,
    const struct frs_samples *samples, struct frs_additive *local, struct frs_arena *arena) {
    size_t dim = model->dim, stride = local->stride;
    local->shared = frs_arena_take_zeroed(arena, samples->n_rows * stride, sizeof(float));
    local->own = frs_arena_take_zeroed(arena, samples->n_rows * stride, sizeof(float));
    for (size_t at = 0; at < samples->n_rows; at += CHUNK) {
        size_t end = at + CHUNK < samples->n_rows ? at + CHUNK : samples->n_rows;
        const float *rows[CHUNK];
        own_rows(model, client, samples->ids + at, end - at, rows);
        for (size_t i = at; i < end; i++) {
            memcpy(local->shared + i * stride, items + samples->ids[i] * dim, dim * sizeof(float));
            frs_values_scale(local->own + i * stride, rows[i - at], model->kept[client], dim);
        }
    }
}

/* The rows of a local table without their padding, each value times `factor`. */
static void pack(const float *padded, const struct frs_additive *local, float factor, float *rows) {
    for (size_t i = 0; i < local->n_rows; i++)
        frs_values_scale(rows + i * local->dim, padded + i * local->stride, factor, local->dim);
}

static void put_kept(const struct frs_fedrap *model, const struct frs_additive *local, const uint32_t *ids,
    float kept, struct frs_arena *arena, struct frs_trained *out) {
    size_t dim = model->dim, n = model->local.trains_own ? local->n_rows : 0;
    float *w = frs_arena_take(arena, dim + 2, sizeof *w),
          *rows = frs_arena_take(arena, n * dim, sizeof *rows);
    memcpy(w, local->w, dim * sizeof *w);
    w[dim] = local->offset;
    w[dim + 1] = kept;
    if (n > 0)
        pack(local->own, local, 1 / kept, rows);
    out->kept = (struct frs_kept){.rows = {w, w + dim + 1},
        .stored = {{.n_rows = model->base.setup.population->n_items,
            .dim = dim,
            .n = n,
            .ids = ids,
            .values = rows}}};
}

static void put_upload(const struct frs_fedrap *model, const struct frs_additive *local, const uint32_t *ids,
    float kept, struct frs_arena *arena, struct frs_trained *out) {
    static const uint32_t no_ids[1];
    size_t n = model->local.trains_shared ? local->n_rows : 0;
    float *rows = frs_arena_take(arena, n * model->dim, sizeof *rows);
    float *factor = frs_arena_take(arena, 1, sizeof *factor);
    if (n > 0)
        pack(local->shared, local, 1, rows);
    *factor = kept;
    out->upload[0] = frs_model_rows(&model->base, 0, n, n ? ids : no_ids, rows);
    out->upload[1] = (struct frs_rows){.n_rows = 1, .dim = 1, .n = 1, .values = factor};
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_fedrap *model = context;
    const struct frs_population *population = model->base.setup.population;
    uint32_t u = training->data->client;
    struct frs_rng negatives =
        frs_rng_stream(population->seed, u, training->round, training->attempt, FRS_RNG_NEGATIVES);
    struct frs_rng shuffle =
        frs_rng_stream(population->seed, u, training->round, training->attempt, FRS_RNG_SHUFFLE);
    struct frs_samples samples = frs_samples_draw(
        training->data, population->n_items, model->base.setup.negatives_per_positive, &negatives, arena);
    struct frs_additive local = {
        .dim = model->dim, .stride = frs_lanes_pad(model->dim), .n_rows = samples.n_rows};
    local.w = frs_arena_take_zeroed(arena, local.stride, sizeof(float));
    memcpy(local.w, model->vectors + u * (model->dim + 1), model->dim * sizeof(float));
    local.offset = model->vectors[u * (model->dim + 1) + model->dim];
    gather(model, u, training->tables->part[0], &samples, &local, arena);
    struct frs_additive_settings settings = frs_fedrap_settings_in(model, training->round);
    if (model->thresholded == FRS_FEDRAP_BY_SERVER)
        settings.mu = 0;
    settings.limit = training->epochs;
    struct frs_additive_result result = frs_additive_train(&local, &samples, &settings, &shuffle, arena);
    *out = (struct frs_trained){.samples = (uint32_t)samples.n,
        .flop = result.flop,
        .processed = (double)result.samples,
        .loss = result.loss,
        .epochs = (uint32_t)result.epochs};
    put_kept(model, &local, samples.ids, model->kept[u] * (float)result.kept, arena, out);
    put_upload(model, &local, samples.ids, (float)result.kept, arena, out);
}

static void score(const void *context, const struct frs_tables *held, uint32_t u, const uint32_t *items,
    size_t n, float *scores) {
    const struct frs_fedrap *model = context;
    size_t dim = model->dim;
    const float *w = model->vectors + u * (dim + 1);
    const float *rows[CHUNK];
    float own[CHUNK];
    frs_table_products(w, dim, held->part[0], items, n, w[dim], scores);
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        own_rows(model, u, items + at, count, rows);
        frs_products(w, dim, rows, count, 0, own);
        for (size_t i = 0; i < count; i++)
            scores[at + i] += model->kept[u] * own[i];
    }
}

static const struct frs_learner_privacy mechanisms = {
    .own = frs_fedrap_mechanisms, .rests = true, .settle = frs_fedrap_settle, .refuses = frs_fedrap_refuses};

const struct frs_learner frs_learner_fedrap = {
    .plugin = {.name = "fedrap",
        .summary = "a sparse global item table plus a private one on every client",
        .source = "Li et al. 2024 (FedRAP), algorithm 1, and its published code",
        .params = frs_fedrap_params},
    .takes_stale = true,
    .limits_epochs = true,
    .mechanisms = &mechanisms,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .round_seed = frs_fedrap_round_seed,
    .train = train,
    .gather = frs_fedrap_gather,
    .aggregate = frs_fedrap_aggregate,
    .score = score,
};
