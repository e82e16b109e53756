/* CGFedRec: clients keep item tables of their own, and the server tells them only which items belong together
 * (Tu et al. 2026, "Cluster-Guided Item Alignment").
 *
 *   client  PFedRec's: σ(w · q_i + b), in every batch the head first, then its rows by gradients at the new
 * head. All rows of the table then move by the contrast of the server's clusters as well (supcon.h): loss =
 * BCE + contrast · SupCon(Q/‖Q‖, labels). Uploads Q whole. server  k-means of the mean of what arrived; sends
 * each item's cluster, ⌈log2 K⌉ bits
 *
 * Labels travel as a table of +1 and −1, a column for each bit, so that the codec `binary` sends them as
 * bits. In the first round all items have the same label, which says nothing: clients train without the
 * contrast. */
#include "algorithms/kernels/algebra/cluster.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/compare.h"
#include "algorithms/kernels/logistic.h"
#include "algorithms/kernels/products.h"
#include "algorithms/kernels/steps/batch.h"
#include "algorithms/kernels/steps/supcon.h"
#include "algorithms/learner.h"
#include "algorithms/models/epochs_params.h"
#include "algorithms/models/init_sd.h"
#include "algorithms/models/private_rows.h"
#include "algorithms/samples.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <string.h>

enum { CHUNK = 64 }; /* items that are scored at a time */

struct cgfedrec {
    struct frs_model base;
    size_t dim, clusters, bits, anchors, batch, steps;
    double epochs;
    float rate, item_rate, contrast, temperature, base_temperature;
    uint32_t clusterings; /* so far */
    float *labels;        /* [n_items × bits] of ±1, the lowest bit first */
    float *start;         /* the table that every client begins with [n_items × dim] */
    /* NULL when only timing is asked for. */
    float *heads;                 /* w, and b behind it [n_clients × (dim + 1)] */
    struct frs_kept_tables *rows; /* the clients' tables */
};

static const struct frs_param params[] = {
    {.key = "dim",
        .type = FRS_INT,
        .initial = "32",
        .min = 1,
        .max = 4096,
        .help = "length of an item vector"},
    FRS_EPOCHS_PARAM("2"),
    FRS_BATCH_PARAM("256"),
    {.key = "learning_rate",
        .type = FRS_REAL,
        .initial = "0.1",
        .min = 0,
        .max = 1e6,
        .help = "step size of the head"},
    {.key = "item_rate_factor",
        .type = FRS_REAL,
        .initial = "80",
        .min = 0,
        .max = 1e6,
        .help = "item rows learn at learning_rate times the number of items times this"},
    {.key = "clusters",
        .type = FRS_INT,
        .initial = "60",
        .min = 2,
        .max = 65536,
        .help = "clusters K of items, at most as many as there are items"},
    {.key = "contrast",
        .type = FRS_REAL,
        .initial = "0.005",
        .min = 0,
        .max = 1e6,
        .help = "weight of the contrast of clusters in a client's loss"},
    {.key = "temperature",
        .type = FRS_REAL,
        .initial = "0.1",
        .min = 0.0125,
        .max = 1e3,
        .help = "what cosines are divided by in the contrast"},
    {.key = "base_temperature",
        .type = FRS_REAL,
        .initial = "0.5",
        .min = 1e-3,
        .max = 1e3,
        .help = "the contrast is multiplied by temperature over this"},
    {.key = "anchors",
        .type = FRS_INT,
        .initial = "128",
        .min = 0,
        .max = 1 << 24,
        .help = "items, drawn for every batch, whose contrast with all others counts; 0: all items, as "
                "published"},
    FRS_INIT_SD_PARAM("1", "the item table that all clients begin with"),
    {0},
};

static size_t bits_of(size_t n) {
    size_t bits = 0;
    while ((size_t)1 << bits < n)
        bits++;
    return bits;
}

/* ---- the model ------------------------------------------------------------------------------- */

/* All heads begin as the same copy. */
static void init_heads(struct cgfedrec *model) {
    const struct frs_population *population = model->base.setup.population;
    size_t dim = model->dim;
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT_PRIVATE);
    for (size_t i = 0; i <= dim; i++) {
        float value = (float)((2 * frs_rng_unit(&rng) - 1) / sqrt((double)dim));
        for (size_t u = 0; u < population->n_clients; u++)
            model->heads[u * (dim + 1) + i] = value;
    }
}

static void declare(struct cgfedrec *model, double init_sd) {
    size_t n_items = model->base.setup.population->n_items;
    struct frs_table labels = {.name = "labels",
        .rows = n_items,
        .dim = model->bits,
        .update_name = "table",
        .update_dim = model->dim};
    struct frs_table start = {.name = "start",
        .owner = FRS_OF_SERVER,
        .rows = n_items,
        .dim = model->dim,
        .start = FRS_NORMAL,
        .sd = init_sd,
        .transient = true};
    model->labels = frs_model_table(&model->base, labels);
    model->start = frs_model_table(&model->base, start);
    model->heads = frs_model_table(
        &model->base, (struct frs_table){.name = "heads", .owner = FRS_OF_CLIENTS, .dim = model->dim + 1});
    model->rows = frs_kept_tables_declare(&model->base, n_items, model->dim);
    frs_model_counter(&model->base, &model->clusterings);
    for (size_t i = 0; i < n_items * model->bits; i++)
        model->labels[i] = -1;
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct cgfedrec *model = frs_model_create(sizeof *model, setup);
    size_t n_items = setup->population->n_items;
    (void)errors;
    model->dim = (size_t)frs_values_int(values, "dim");
    model->clusters = (size_t)frs_values_int(values, "clusters");
    model->clusters = model->clusters < n_items ? model->clusters : n_items;
    model->bits = model->clusters > 2 ? bits_of(model->clusters) : 1;
    model->anchors = (size_t)frs_values_int(values, "anchors");
    model->batch = (size_t)frs_values_int(values, "batch");
    frs_epochs_read(values, &model->epochs, &model->steps);
    double rate = frs_values_real(values, "learning_rate");
    model->rate = (float)rate;
    model->item_rate = (float)(rate * (double)n_items * frs_values_real(values, "item_rate_factor"));
    model->contrast = (float)frs_values_real(values, "contrast");
    model->temperature = (float)frs_values_real(values, "temperature");
    model->base_temperature = (float)frs_values_real(values, "base_temperature");
    declare(model, frs_init_sd(values, model->dim));
    if (!setup->timing_only)
        init_heads(model);
    return model;
}

/* ---- a client -------------------------------------------------------------------------------- */

/* A client in training. */
struct local {
    const struct cgfedrec *model;
    float rate, item_rate;
    size_t n;                   /* items */
    float *rows;                /* Q [n × dim] */
    float *head;                /* [dim + 1] */
    float *slopes;              /* ∂loss/∂Q [n × dim] */
    float *step;                /* of the head [dim + 1] */
    float *scores, *errors;     /* of the rows of a batch */
    struct frs_supcon contrast; /* labels NULL: there is none */
    uint32_t *order;            /* of all items, from which anchors are drawn; NULL: all are */
    struct frs_rng anchors;
    struct frs_batch batch;
    const uint32_t *ids; /* items of the batch's rows */
    double flop, loss;
};

/* The first `anchors` of `order` become a random choice. */
static void draw_anchors(struct local *local) {
    for (size_t i = 0; local->order && i < local->model->anchors; i++) {
        size_t draw = i + frs_rng_below(&local->anchors, (uint32_t)(local->n - i));
        uint32_t item = local->order[draw];
        local->order[draw] = local->order[i];
        local->order[i] = item;
    }
}

FRS_CLONES static void add_scaled(float *restrict a, float factor, const float *restrict b, size_t n) {
    for (size_t i = 0; i < n; i++)
        a[i] += factor * b[i];
}

/* Scores of the batch's rows, and σ − y summed over the occurrences of each, over the size of the batch. */
static void find_errors(struct local *local, size_t size) {
    const struct frs_batch *batch = &local->batch;
    size_t dim = local->model->dim;
    for (size_t i = 0; i < batch->n; i++) {
        const float *row = local->rows + local->ids[batch->rows[i]] * dim;
        float sum = local->head[dim];
        for (size_t k = 0; k < dim; k++)
            sum += local->head[k] * row[k];
        local->scores[i] = sum;
    }
    frs_bce_coefficients(local->scores, batch->count, batch->positive, batch->n, local->errors);
    for (size_t i = 0; i < batch->n; i++)
        local->errors[i] /= (float)size;
}

static void step_head(struct local *local) {
    const struct frs_batch *batch = &local->batch;
    size_t dim = local->model->dim;
    float *step = local->step;
    memset(step, 0, (dim + 1) * sizeof *step);
    for (size_t i = 0; i < batch->n; i++) {
        add_scaled(step, local->errors[i], local->rows + local->ids[batch->rows[i]] * dim, dim);
        step[dim] += local->errors[i];
    }
    add_scaled(local->head, -local->rate, step, dim + 1);
}

static void step_items(struct local *local, struct frs_arena *arena) {
    const struct cgfedrec *model = local->model;
    const struct frs_batch *batch = &local->batch;
    size_t dim = model->dim, n_anchors = local->order ? model->anchors : local->n;
    if (local->contrast.labels) {
        struct frs_arena_mark mark = frs_arena_mark(arena);
        memset(local->slopes, 0, local->n * dim * sizeof *local->slopes);
        draw_anchors(local);
        (void)frs_supcon_gradient(
            &local->contrast, local->rows, local->order, n_anchors, model->contrast, local->slopes, arena);
        frs_arena_release(arena, mark);
        add_scaled(local->rows, -local->item_rate, local->slopes, local->n * dim);
        local->flop += frs_supcon_flop(local->n, dim, n_anchors) + 2 * (double)(local->n * dim);
    }
    for (size_t i = 0; i < batch->n; i++)
        add_scaled(local->rows + local->ids[batch->rows[i]] * dim, -local->item_rate * local->errors[i],
            local->head, dim);
}

/* Head, then rows: their errors are those at the new head and the old rows. */
static void train_batch(struct local *local, const uint32_t *samples, size_t n, struct frs_arena *arena) {
    frs_batch_fill(&local->batch, samples, n);
    find_errors(local, n);
    for (size_t i = 0; i < local->batch.n; i++)
        local->loss +=
            (double)frs_bce_loss(local->scores[i], local->batch.count[i], local->batch.positive[i]);
    step_head(local);
    find_errors(local, n);
    step_items(local, arena);
    local->flop +=
        (double)local->batch.n * (8 * (double)local->model->dim + 12) + 2 * (double)(local->model->dim + 1);
}

/* The labels as numbers; NULL where all are the same. */
static uint32_t *read_labels(
    const struct cgfedrec *model, const float *table, size_t n, struct frs_arena *arena) {
    uint32_t *labels = frs_arena_take_zeroed(arena, n, sizeof *labels);
    bool differ = false;
    for (size_t i = 0; i < n; i++) {
        for (size_t bit = 0; bit < model->bits; bit++)
            labels[i] |= (uint32_t)(table[i * model->bits + bit] > 0) << bit;
        differ |= labels[i] != labels[0];
    }
    return differ && model->contrast > 0 ? labels : NULL;
}

static void take_rows(const struct cgfedrec *model, uint32_t client, float *rows) {
    const struct frs_private_rows *own = &model->rows->rows[client];
    size_t n = model->base.setup.population->n_items, dim = model->dim;
    for (uint32_t i = 0; i < n; i++) {
        const float *row = frs_private_rows_find(own, &model->rows->pool, i);
        memcpy(rows + i * dim, row ? row : model->start + i * dim, dim * sizeof *rows);
    }
}

static struct local begin(const struct cgfedrec *model, const struct frs_training *training,
    const struct frs_samples *samples, struct frs_arena *arena) {
    uint64_t seed = model->base.setup.population->seed;
    uint32_t client = training->data->client;
    size_t n = model->base.setup.population->n_items, dim = model->dim,
           size = samples->n < model->batch ? samples->n : model->batch;
    struct local local = {.model = model,
        .rate = model->rate * frs_training_rate_scale(training),
        .item_rate = model->item_rate * frs_training_rate_scale(training),
        .n = n,
        .rows = frs_arena_take(arena, n * dim, sizeof(float)),
        .head = frs_arena_take(arena, dim + 1, sizeof(float)),
        .slopes = frs_arena_take(arena, n * dim, sizeof(float)),
        .step = frs_arena_take(arena, dim + 1, sizeof(float)),
        .scores = frs_arena_take_zeroed(arena, frs_lanes_pad(size), sizeof(float)),
        .errors = frs_arena_take_zeroed(arena, frs_lanes_pad(size), sizeof(float)),
        .anchors = frs_rng_stream(seed, client, training->round, training->attempt, FRS_RNG_ANCHORS),
        .batch = frs_batch_create(samples->n_rows, size, arena),
        .ids = samples->ids};
    memcpy(local.head, model->heads + client * (dim + 1), (dim + 1) * sizeof *local.head);
    take_rows(model, client, local.rows);
    local.contrast = (struct frs_supcon){.n = n,
        .dim = dim,
        .temperature = model->temperature,
        .base = model->base_temperature,
        .labels = read_labels(model, training->tables->part[0], n, arena)};
    if (model->anchors > 0 && model->anchors < n)
        local.order = frs_arena_take(arena, n, sizeof *local.order);
    for (uint32_t i = 0; local.order && i < n; i++)
        local.order[i] = i;
    return local;
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    static const uint32_t no_ids[1];
    const struct cgfedrec *model = context;
    const struct frs_learner_setup *setup = &model->base.setup;
    uint32_t client = training->data->client;
    size_t n_items = setup->population->n_items;
    out->upload[0] = (struct frs_rows){.n_rows = n_items, .dim = model->dim, .ids = no_ids};
    if (training->data->n == 0)
        return;
    struct frs_rng negatives = frs_rng_stream(
        setup->population->seed, client, training->round, training->attempt, FRS_RNG_NEGATIVES);
    struct frs_rng shuffle =
        frs_rng_stream(setup->population->seed, client, training->round, training->attempt, FRS_RNG_SHUFFLE);
    struct frs_samples samples =
        frs_samples_draw(training->data, n_items, setup->negatives_per_positive, &negatives, arena);
    struct local local = begin(model, training, &samples, arena);
    struct frs_extent extent = frs_extent_of(model->epochs, model->steps, samples.n, model->batch);
    size_t passes =
               training->epochs > 0 && training->epochs < extent.passes ? training->epochs : extent.passes,
           last = 0;
    for (size_t pass = 0; pass < passes; pass++) {
        last = frs_extent_of_pass(extent, pass, samples.n);
        local.loss = 0;
        frs_samples_shuffle(&samples, last < samples.n ? 1 : model->batch, &shuffle);
        for (size_t at = 0; at < last; at += model->batch)
            train_batch(
                &local, samples.samples + at, last - at < model->batch ? last - at : model->batch, arena);
        out->processed += (double)last;
    }
    uint32_t *ids = frs_arena_take(arena, n_items, sizeof *ids);
    for (uint32_t i = 0; i < n_items; i++)
        ids[i] = i;
    bool finite =
        frs_all_finite(local.rows, n_items * model->dim) && frs_all_finite(local.head, model->dim + 1);
    out->upload[0].n = n_items;
    out->upload[0].ids = NULL;
    out->upload[0].values = local.rows;
    out->kept = (struct frs_kept){.rows = {local.head}, .stored = {out->upload[0]}};
    out->kept.stored[0].ids = ids;
    out->samples = (uint32_t)samples.n;
    out->flop = local.flop;
    out->loss = finite ? local.loss / (double)last : (double)NAN;
    out->epochs = (uint32_t)passes;
}

/* The client's own table alone: what the server sends shows in its next training. */
static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct cgfedrec *model = context;
    const float *head = model->heads + client * (model->dim + 1), *rows[CHUNK];
    (void)held;
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        frs_private_rows_find_all(&model->rows->rows[client], &model->rows->pool, items + at, count, rows);
        for (size_t i = 0; i < count; i++)
            rows[i] = rows[i] ? rows[i] : model->start + items[at + i] * model->dim;
        frs_products(head, model->dim, rows, count, head[model->dim], scores + at);
    }
}

/* ---- the server ------------------------------------------------------------------------------ */

/* A client's table is no change of labels. */
static void apply(const void *context, const struct frs_tables *tables, uint64_t round_seed,
    const struct frs_rows *update, struct frs_arena *arena) {
    (void)context;
    (void)tables;
    (void)round_seed;
    (void)update;
    (void)arena;
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct cgfedrec *model = context;
    size_t n_items = model->base.setup.population->n_items, dim = model->dim;
    (void)update;
    struct frs_rows mean = frs_model_mean(&model->base, contributions, n, 0, FRS_PER_ITEM, arena);
    if (mean.n == 0)
        return;
    float *table = frs_arena_take_zeroed(arena, n_items * dim, sizeof *table);
    for (size_t i = 0; i < mean.n; i++)
        memcpy(table + (mean.ids ? mean.ids[i] : i) * dim, mean.values + i * dim, dim * sizeof *table);
    struct frs_rng rng = frs_rng_stream(
        model->base.setup.population->seed, FRS_RNG_SERVER, model->clusterings++, 0, FRS_RNG_CLUSTERS);
    struct frs_groups groups = frs_kmeans(table, n_items, dim, model->clusters, &rng, arena);
    for (size_t i = 0; i < n_items; i++)
        for (size_t bit = 0; bit < model->bits; bit++)
            model->labels[i * model->bits + bit] = groups.group[i] >> bit & 1 ? 1 : -1;
}

/* The mean, and ten iterations of k-means, its most (cluster.h). */
static double aggregate_flop(const void *context, size_t n, double values) {
    const struct cgfedrec *model = context;
    double items = (double)model->base.setup.population->n_items, dim = (double)model->dim;
    (void)n;
    return 2 * values + 10 * items * ((double)model->clusters * (2 * dim + 1) + dim);
}

const struct frs_learner frs_learner_cgfedrec = {
    .plugin = {.name = "cgfedrec",
        .summary = "item tables of the clients' own go up, and clusters of items come down",
        .source = "Tu et al. 2026 (CGFedRec), arXiv:2602.21957, and its published code",
        .params = params},
    .uploads_updates = true,
    .uploads_gradients = true,
    .step_may_rest = true,
    .predicts_alone = true,
    .own_step = "it clusters the mean of what arrives; allowed: none, without rate",
    .averaging = FRS_AVERAGES_NOT,
    .follows_rate = true,
    .limits_epochs = true,
    .create = create,
    .train = train,
    .aggregate = aggregate,
    .apply = apply,
    .aggregate_flop = aggregate_flop,
    .score = score,
};
