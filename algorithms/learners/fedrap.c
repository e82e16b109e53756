/* FedRAP: a global item table C that travels, and one D per client that does not (Li et al. 2024, algorithm
 * 1; algorithms.md, section 6). A client scores an item by its own vector times the sum of both rows.
 *
 * variant = paper: σ(⟨u, d_j + c_j⟩), sums, λ and μ on a curriculum, and μ‖C‖₁ by soft thresholding (equation
 * 13): plain subgradient steps never give an exact zero. Distance and sparsity act on the rows of the batch,
 * so rows a client did not touch stay as received. −λ‖D − C‖² (its appendix prints +) is unbounded below: it
 * ends at `distance_bound` per value.
 *
 * variant = published_code: σ(w · (d_j + c_j) + b) with a score head per client, means, constant λ and μ, a
 * subgradient, weight decay on everything, decaying rates, early stop, and the gradient of a loss that is
 * taken after the sigmoid. Decay alone changes the rows nobody touched, all by one factor: the upload says it
 * in one number instead of in rows, and the server applies it.
 *
 * D is kept by touched rows. What a client never touched is the D everybody started from, times the factor
 * that decay has left of it. */
#include "algorithms/kernels/columns.h"
#include "algorithms/learners/fedrap_model.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What `commit` is given: this, w and b, ids, and rows of D. */
struct private_state {
    uint32_t n;
    float kept;
};

/* --- creation --- */

static float *draw_table(const struct frs_fedrap *model, uint32_t index, double sd) {
    const struct frs_population *population = model->setup.population;
    float *table = frs_alloc_aligned(population->n_items * model->dim, sizeof *table);
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, index, 0, FRS_RNG_INIT);
    frs_rng_fill_normal(&rng, table, population->n_items * model->dim, sd);
    return table;
}

/* User vectors of their own, or the same score head for everybody. */
static void draw_vectors(struct frs_fedrap *model, double user_sd) {
    const struct frs_population *population = model->setup.population;
    size_t dim = model->dim;
    double width = 1 / sqrt((double)dim);
    model->vectors = frs_alloc(population->n_clients * (dim + 1), sizeof *model->vectors);
    for (uint32_t u = 0; u < population->n_clients; u++) {
        float *w = model->vectors + u * (dim + 1);
        struct frs_rng rng = frs_rng_stream(population->seed,
            model->variant == FRS_FEDRAP_PAPER ? u : FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT_PRIVATE);
        if (model->variant == FRS_FEDRAP_PAPER)
            frs_rng_fill_normal(&rng, w, dim, user_sd);
        for (size_t k = 0; k <= dim && model->variant == FRS_FEDRAP_PUBLISHED_CODE; k++)
            w[k] = (float)(width * (2 * frs_rng_unit(&rng) - 1));
    }
}

static void draw(struct frs_fedrap *model, const struct frs_values *values) {
    uint32_t n_clients = model->setup.population->n_clients;
    double sd = (double)frs_fedrap_by_variant(values, "init_sd", 0.1f, 1, model->variant == FRS_FEDRAP_PAPER);
    double user_sd = model->variant == FRS_FEDRAP_PAPER ? frs_values_real(values, "user_init_sd") : 0;
    model->items = draw_table(model, 0, model->local.trains_shared ? sd : 0);
    if (model->setup.timing_only)
        return;
    model->rows.dim = model->dim;
    model->rows.n_ids = model->setup.population->n_items;
    model->start = draw_table(model, 1, model->local.trains_own ? sd : 0);
    model->clients = frs_alloc(n_clients, sizeof *model->clients);
    for (uint32_t u = 0; u < n_clients; u++)
        model->clients[u].kept = 1;
    draw_vectors(model, user_sd);
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_fedrap *model = frs_alloc(1, sizeof *model);
    model->setup = *setup;
    if (!frs_fedrap_read(model, values, errors)) {
        free(model);
        return NULL;
    }
    draw(model, values);
    return model;
}

static void destroy(void *context) {
    struct frs_fedrap *model = context;
    for (uint32_t u = 0; model->clients && u < model->setup.population->n_clients; u++)
        frs_kept_rows_fini(&model->clients[u].own);
    frs_row_pool_fini(&model->rows);
    free(model->clients);
    free(model->vectors);
    free(model->start);
    free(model->items);
    free(model);
}

static size_t parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    const struct frs_fedrap *model = context;
    out[0] =
        (struct frs_part){.name = "items", .n_rows = model->setup.population->n_items, .dim = model->dim};
    if (payload != FRS_UPLOAD || model->local.weight_decay == 0)
        return 1;
    out[1] = (struct frs_part){.name = "kept", .n_rows = 1, .dim = 1};
    return 2;
}

/* D, and u or the head with its bias. */
static size_t private_values(const void *context) {
    const struct frs_fedrap *model = context;
    return model->dim * (model->setup.population->n_items + 1) +
           (model->variant == FRS_FEDRAP_PUBLISHED_CODE);
}

static struct frs_tables tables(const void *context) {
    const struct frs_fedrap *model = context;
    return (struct frs_tables){.part = {model->items}};
}

/* --- the client --- */

/* The rows of C and D that this participation will touch. */
static void gather(const struct frs_fedrap *model, const struct frs_fedrap_client *client, const float *items,
    const struct frs_samples *samples, struct frs_additive *local, struct frs_arena *arena) {
    size_t dim = model->dim, stride = local->stride;
    local->shared = frs_arena_take_zeroed(arena, samples->n_rows * stride, sizeof(float));
    local->own = frs_arena_take_zeroed(arena, samples->n_rows * stride, sizeof(float));
    for (size_t i = 0; i < samples->n_rows; i++) {
        uint32_t id = samples->ids[i];
        const float *own = frs_kept_rows_find(&client->own, &model->rows, id);
        own = own ? own : model->start + id * dim;
        memcpy(local->shared + i * stride, items + id * dim, dim * sizeof(float));
        frs_values_scale(local->own + i * stride, own, client->kept, dim);
    }
}

/* The rows of a local table without their padding, each value times `factor`. */
static void pack(const float *padded, const struct frs_additive *local, float factor, float *rows) {
    for (size_t i = 0; i < local->n_rows; i++)
        frs_values_scale(rows + i * local->dim, padded + i * local->stride, factor, local->dim);
}

static void put_private(const struct frs_fedrap *model, const struct frs_additive *local, const uint32_t *ids,
    float kept, struct frs_arena *arena, struct frs_trained *out) {
    size_t dim = model->dim, n = model->local.trains_own ? local->n_rows : 0;
    size_t vector_bytes = (dim + 1) * sizeof(float), ids_bytes = n * sizeof *ids;
    out->private_bytes = sizeof(struct private_state) + vector_bytes + ids_bytes + n * dim * sizeof(float);
    unsigned char *bytes = frs_arena_take(arena, out->private_bytes, 1);
    out->private_state = bytes;
    *(struct private_state *)(void *)bytes = (struct private_state){.n = (uint32_t)n, .kept = kept};
    float *w = (float *)(void *)(bytes + sizeof(struct private_state));
    memcpy(w, local->w, dim * sizeof *w);
    w[dim] = local->offset;
    memcpy(w + dim + 1, ids, ids_bytes);
    if (n > 0)
        pack(local->own, local, 1 / kept, w + dim + 1 + n);
}

/* Clips what the round has done to C: rows ← received + (rows − received) · min(1, ητ/‖·‖). */
static void clip(
    const struct frs_fedrap *model, const float *items, const uint32_t *ids, size_t n, float *rows) {
    size_t dim = model->dim;
    double norm = 0, most = (double)model->local.item_rate * model->clip;
    for (size_t i = 0; i < n * dim; i++) {
        double change = (double)rows[i] - (double)items[ids[i / dim] * dim + i % dim];
        norm += change * change;
    }
    norm = sqrt(norm);
    for (size_t i = 0; i < n * dim && norm > most; i++) {
        float received = items[ids[i / dim] * dim + i % dim];
        rows[i] = received + (float)(most / norm) * (rows[i] - received);
    }
}

static void put_upload(const struct frs_fedrap *model, const struct frs_additive *local,
    const struct frs_training *training, const uint32_t *ids, float kept, struct frs_arena *arena,
    struct frs_trained *out) {
    static const uint32_t no_ids[1];
    size_t n = model->local.trains_shared ? local->n_rows : 0;
    float *rows = frs_arena_take(arena, n * model->dim, sizeof *rows);
    float *factor = frs_arena_take(arena, 1, sizeof *factor);
    if (n > 0)
        pack(local->shared, local, 1, rows);
    if (model->clip > 0)
        clip(model, training->tables->part[0], ids, n, rows);
    *factor = kept;
    out->upload[0] = (struct frs_rows){.n_rows = model->setup.population->n_items,
        .dim = model->dim,
        .n = n,
        .ids = n ? ids : no_ids,
        .values = rows};
    out->upload[1] = (struct frs_rows){.n_rows = 1, .dim = 1, .n = 1, .values = factor};
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_fedrap *model = context;
    const struct frs_population *population = model->setup.population;
    uint32_t u = training->data->client;
    const struct frs_fedrap_client *client = &model->clients[u];
    struct frs_rng negatives =
        frs_rng_stream(population->seed, u, training->round, training->attempt, FRS_RNG_NEGATIVES);
    struct frs_rng shuffle =
        frs_rng_stream(population->seed, u, training->round, training->attempt, FRS_RNG_SHUFFLE);
    struct frs_samples samples = frs_samples_draw(
        training->data, population->n_items, model->setup.negatives_per_positive, &negatives, arena);
    struct frs_additive local = {
        .dim = model->dim, .stride = frs_additive_stride(model->dim), .n_rows = samples.n_rows};
    local.w = frs_arena_take_zeroed(arena, local.stride, sizeof(float));
    memcpy(local.w, model->vectors + u * (model->dim + 1), model->dim * sizeof(float));
    local.offset = model->vectors[u * (model->dim + 1) + model->dim];
    gather(model, client, training->tables->part[0], &samples, &local, arena);
    struct frs_additive_settings settings = frs_fedrap_settings_in(model, training->round);
    if (model->thresholded == FRS_FEDRAP_BY_SERVER)
        settings.mu = 0;
    if (training->epochs > 0 && training->epochs < settings.epochs)
        settings.epochs = training->epochs;
    struct frs_additive_result result = frs_additive_train(&local, &samples, &settings, &shuffle, arena);
    *out = (struct frs_trained){.samples = (uint32_t)samples.n,
        .flop = result.flop,
        .processed = (double)result.epochs * (double)samples.n,
        .loss = result.loss,
        .epochs = (uint32_t)result.epochs};
    put_private(model, &local, samples.ids, client->kept * (float)result.kept, arena, out);
    put_upload(model, &local, training, samples.ids, (float)result.kept, arena, out);
}

static void commit(void *context, uint32_t u, const void *private_state, size_t private_bytes) {
    (void)private_bytes;
    struct frs_fedrap *model = context;
    struct private_state state;
    memcpy(&state, private_state, sizeof state);
    const float *w = (const float *)((const char *)private_state + sizeof state);
    const uint32_t *ids = (const uint32_t *)(const void *)(w + model->dim + 1);
    const float *rows = (const float *)(const void *)(ids + state.n);
    memcpy(model->vectors + u * (model->dim + 1), w, (model->dim + 1) * sizeof *w);
    model->clients[u].kept = state.kept;
    frs_kept_rows_merge(&model->clients[u].own, &model->rows, ids, rows, state.n);
}

static void archive(void *context, struct frs_archive *archive) {
    struct frs_fedrap *model = context;
    const struct frs_population *population = model->setup.population;
    size_t dim = model->dim;
    frs_archive_bytes(archive, model->items, population->n_items * dim * sizeof *model->items);
    frs_archive_bytes(archive, model->vectors, population->n_clients * (dim + 1) * sizeof *model->vectors);
    for (uint32_t u = 0; u < population->n_clients; u++) {
        frs_archive_bytes(archive, &model->clients[u].kept, sizeof model->clients[u].kept);
        frs_kept_rows_archive(&model->clients[u].own, &model->rows, archive);
    }
}

static void score(const void *context, const struct frs_tables *held, uint32_t u, const uint32_t *items,
    size_t n, float *scores) {
    const struct frs_fedrap *model = context;
    const struct frs_fedrap_client *client = &model->clients[u];
    size_t dim = model->dim;
    const float *w = model->vectors + u * (dim + 1);
    for (size_t i = 0; i < n; i++) {
        const float *shared = held->part[0] + items[i] * dim;
        const float *own = frs_kept_rows_find(&client->own, &model->rows, items[i]);
        float sum = w[dim];
        own = own ? own : model->start + items[i] * dim;
        for (size_t k = 0; k < dim; k++)
            sum += w[k] * (shared[k] + client->kept * own[k]);
        scores[i] = sum;
    }
}

const struct frs_learner frs_learner_fedrap = {
    .plugin = {.name = "fedrap",
        .summary = "a sparse global item table plus a private one on every client",
        .source = "Li et al. 2024 (FedRAP), algorithm 1, and its published code",
        .params = frs_fedrap_params},
    .takes_stale = true,
    .limits_epochs = true,
    .create = create,
    .destroy = destroy,
    .parts = parts,
    .private_values = private_values,
    .tables = tables,
    .word = frs_fedrap_word,
    .train = train,
    .commit = commit,
    .aggregate = frs_fedrap_aggregate,
    .guarantee = frs_fedrap_guarantee,
    .archive = archive,
    .score = score,
};
