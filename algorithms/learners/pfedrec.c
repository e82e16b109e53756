/* PFedRec: one shared item table, a private score head and a private copy of the table (Zhang et al. 2023,
 * "dual personalization"; algorithms.md, section 9).
 *
 * Score σ(w_u · q_i + b_u). In every batch the head (w_u, b_u) takes one SGD step, then the item rows take
 * one by gradients at the new head. The table is uploaded and averaged; a client predicts with its own head
 * and the table it trained, before the next average replaces it.
 *
 * The published code lets item rows learn at learning_rate · n_items · 80, which undoes that embedding
 * gradients are averaged over the batch. All heads start from the same U(±1/√dim), as copies of one layer do.
 */
#include "algorithms/aggregation.h"
#include "algorithms/learner.h"
#include "algorithms/learners/epochs_params.h"
#include "algorithms/learners/mf_local.h"
#include "algorithms/learners/own_tables.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct pfedrec {
    struct frs_mf_settings settings;
    enum frs_weighting weighting;
    struct frs_learner_setup setup;
    float *items; /* Q [n_items × dim] */
    /* Private states; NULL when only timing is asked for. */
    float *heads;  /* w [n_clients × dim] */
    float *biases; /* b [n_clients] */
    struct frs_own_tables *own;
};

static const struct frs_param params[] = {
    {.key = "dim",
        .type = FRS_INT,
        .initial = "16",
        .min = 1,
        .max = 4096,
        .help = "length d of the head's weights and of an item vector"},
    FRS_EPOCHS_PARAM("1"),
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
    {.key = "weight_decay",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e3,
        .help = "L2 decay of the head and of the rows in a batch"},
    {.key = "init_sd",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0,
        .max = 1e3,
        .help = "standard deviation of the initial item table"},
    {.key = "aggregation",
        .type = FRS_CHOICE,
        .initial = "uniform",
        .choices = frs_weighting_names,
        .help =
            "weight of an upload: data_size, uniform, or per_item over the clients that changed the item"},
    {0},
};

static struct frs_mf_settings read_settings(const struct frs_values *values, size_t n_items) {
    struct frs_mf_settings s = {.dim = (size_t)frs_values_int(values, "dim")};
    double rate = frs_values_real(values, "learning_rate");
    s.init_sd = frs_values_real(values, "init_sd");
    s.local = (struct frs_bce_mf_settings){
        .epochs = (size_t)frs_values_int(values, "epochs"),
        .batch = (size_t)frs_values_int(values, "batch"),
        .optimiser = FRS_SGD,
        .scaling = FRS_BATCH_MEAN,
        .user_rate = (float)rate,
        .item_rate = (float)(rate * (double)n_items * frs_values_real(values, "item_rate_factor")),
        .weight_decay = (float)frs_values_real(values, "weight_decay"),
        .gradient_scale = 1,
        .alternates = true,
    };
    return s;
}

static void init_private(struct pfedrec *model) {
    const struct frs_population *population = model->setup.population;
    size_t n = population->n_clients, dim = model->settings.dim;
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT_PRIVATE);
    model->heads = frs_alloc_aligned(n * dim, sizeof *model->heads);
    model->biases = frs_alloc(n, sizeof *model->biases);
    model->own = frs_own_tables_create(n, population->n_items, dim);
    for (size_t i = 0; i <= dim; i++) {
        float value = (float)((2 * frs_rng_unit(&rng) - 1) / sqrt((double)dim));
        for (size_t u = 0; u < n; u++)
            *(i < dim ? &model->heads[u * dim + i] : &model->biases[u]) = value;
    }
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct pfedrec *model = frs_alloc(1, sizeof *model);
    const struct frs_population *population = setup->population;
    model->settings = read_settings(values, population->n_items);
    if (!setup->weighted)
        model->weighting = (enum frs_weighting)frs_values_choice(values, "aggregation");
    model->setup = *setup;
    model->items = frs_mf_init_items(&model->settings, population->n_items, population->seed);
    if (!setup->timing_only)
        init_private(model);
    return model;
}

static void destroy(void *context) {
    struct pfedrec *model = context;
    frs_own_tables_destroy(model->own);
    free(model->items);
    free(model->heads);
    free(model->biases);
    free(model);
}

static size_t parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    (void)payload;
    const struct pfedrec *model = context;
    out[0] = (struct frs_part){
        .name = "items", .n_rows = model->setup.population->n_items, .dim = model->settings.dim};
    return 1;
}

/* The head and its bias. */
static size_t private_values(const void *context) {
    const struct pfedrec *model = context;
    return model->settings.dim + 1;
}

static struct frs_tables tables(const void *context) {
    const struct pfedrec *model = context;
    return (struct frs_tables){.part = {model->items}};
}

/* A private state as it is committed, in words of four bytes: w [dim], b, n, and for n items their ids and
 * rows [n × dim]. */
static void pack_private(const struct frs_bce_mf *mf, struct frs_arena *arena, struct frs_trained *out) {
    size_t n = mf->n_rows, dim = mf->dim;
    out->private_bytes = sizeof(float) * (dim + 2 + n * (1 + dim));
    float *packed = frs_arena_take(arena, out->private_bytes, 1);
    uint32_t *ids = (uint32_t *)(packed + dim + 1);
    out->private_state = packed;
    memcpy(packed, mf->p, dim * sizeof(float));
    packed[dim] = *mf->bias;
    *ids++ = (uint32_t)n;
    if (n == 0)
        return;
    memcpy(ids, out->upload[0].ids, n * sizeof *ids);
    memcpy(ids + n, out->upload[0].values, n * dim * sizeof(float));
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct pfedrec *model = context;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->setup, training, model->heads, arena);
    float bias = model->biases[training->data->client];
    local.mf.bias = &bias;
    local.mf.rows = frs_mf_local_rows(&local, arena);
    frs_mf_local_train(&local, &model->settings, &model->setup, arena, out);
    pack_private(&local.mf, arena, out);
}

static void keep(void *context, uint32_t client, const struct frs_tables *held, uint64_t version) {
    struct pfedrec *model = context;
    frs_own_tables_keep(model->own, client, held->part[0], version);
}

static void commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct pfedrec *model = context;
    size_t dim = model->settings.dim;
    const float *head = private_state;
    const uint32_t *ids = (const uint32_t *)(head + dim + 1);
    uint32_t n = *ids++;
    (void)private_bytes;
    memcpy(model->heads + client * dim, head, dim * sizeof *head);
    model->biases[client] = head[dim];
    frs_own_tables_commit(model->own, client, ids, (const float *)(ids + n), n);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct pfedrec *model = context;
    struct frs_rows change = frs_aggregate_changes(contributions, n, 0, model->weighting, arena);
    frs_rows_add_to(&change, model->items);
}

static void archive(void *context, struct frs_archive *archive) {
    struct pfedrec *model = context;
    const struct frs_population *population = model->setup.population;
    size_t dim = model->settings.dim, n = population->n_clients;
    frs_archive_bytes(archive, model->items, population->n_items * dim * sizeof *model->items);
    frs_archive_bytes(archive, model->heads, n * dim * sizeof *model->heads);
    frs_archive_bytes(archive, model->biases, n * sizeof *model->biases);
    frs_own_tables_archive(model->own, archive);
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct pfedrec *model = context;
    size_t dim = model->settings.dim;
    const float *head = model->heads + client * dim;
    for (size_t i = 0; i < n; i++) {
        const float *row = frs_own_tables_row(model->own, client, items[i], held->part[0]);
        float sum = model->biases[client];
        for (size_t k = 0; k < dim; k++)
            sum += head[k] * row[k];
        scores[i] = sum;
    }
}

const struct frs_learner frs_learner_pfedrec = {
    .plugin = {.name = "pfedrec",
        .summary = "a shared item table, and a score head and a copy of the table for every client",
        .source = "Zhang et al. 2023 and its published code; dim of PFedCLR's table 1",
        .params = params},
    .takes_stale = true,
    .limits_epochs = true,
    .create = create,
    .destroy = destroy,
    .parts = parts,
    .private_values = private_values,
    .tables = tables,
    .train = train,
    .keep = keep,
    .commit = commit,
    .aggregate = aggregate,
    .archive = archive,
    .score = score,
};
