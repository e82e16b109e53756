/* PFedRec: one shared item table, a private score head and a private copy of the table (Zhang et al. 2023,
 * "dual personalization").
 *
 * Score σ(w_u · q_i + b_u). In every batch the head (w_u, b_u) takes one SGD step, then the item rows take
 * one by gradients at the new head. The table is uploaded and averaged. A client predicts with its own
 * head and the table it trained, before the next average replaces it.
 *
 * In the published code item rows learn at learning_rate · n_items · 80, which cancels that embedding
 * gradients are averaged over the batch. All heads start from the same U(±1/√dim), as copies of one layer
 * do. */
#include "algorithms/kernels/products.h"
#include "algorithms/models/mf_model.h"
#include "algorithms/models/own_tables.h"

#define CHUNK 64u /* items that are scored at a time */

struct pfedrec {
    struct frs_model base;
    struct frs_mf_settings settings;
    float *items; /* Q [n_items × dim] */
    /* NULL when only timing is asked for. */
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
    FRS_INIT_SD_PARAM("1", "the initial item table"),
    FRS_AGGREGATION_PARAM("uniform"),
    {0},
};

static struct frs_mf_settings read_settings(const struct frs_values *values, size_t n_items) {
    struct frs_mf_settings s = {.dim = (size_t)frs_values_int(values, "dim")};
    double rate = frs_values_real(values, "learning_rate");
    s.init_sd = frs_init_sd(values, s.dim);
    s.local = (struct frs_bce_mf_settings){
        .batch = (size_t)frs_values_int(values, "batch"),
        .optimiser = FRS_SGD,
        .scaling = FRS_BATCH_MEAN,
        .user_rate = (float)rate,
        .item_rate = (float)(rate * (double)n_items * frs_values_real(values, "item_rate_factor")),
        .weight_decay = (float)frs_values_real(values, "weight_decay"),
        .gradient_scale = 1,
        .alternates = true,
    };
    frs_epochs_read(values, &s.local.epochs, &s.local.steps);
    return s;
}

/* All heads begin as the same copy. */
static void init_heads(struct pfedrec *model) {
    const struct frs_population *population = model->base.setup.population;
    size_t dim = model->settings.dim;
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT_PRIVATE);
    for (size_t i = 0; i <= dim; i++) {
        float value = (float)((2 * frs_rng_unit(&rng) - 1) / sqrt((double)dim));
        for (size_t u = 0; u < population->n_clients; u++)
            *(i < dim ? &model->heads[u * dim + i] : &model->biases[u]) = value;
    }
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct pfedrec *model = frs_model_create(sizeof *model, setup);
    size_t n_items = setup->population->n_items;
    model->settings = read_settings(values, n_items);
    model->base.weighting = frs_weighting_read(values);
    size_t dim = model->settings.dim;
    model->items = frs_model_table(&model->base, frs_mf_items(&model->settings, n_items));
    model->heads = frs_model_table(
        &model->base, (struct frs_table){.name = "heads", .owner = FRS_OF_CLIENTS, .dim = dim});
    model->biases = frs_model_table(
        &model->base, (struct frs_table){.name = "biases", .owner = FRS_OF_CLIENTS, .dim = 1});
    model->own = frs_own_tables_declare(&model->base, 0, n_items, dim);
    if (!setup->timing_only)
        init_heads(model);
    return model;
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct pfedrec *model = context;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->base.setup, training, model->heads, arena);
    float *bias = frs_arena_take(arena, 1, sizeof *bias);
    *bias = model->biases[training->data->client];
    local.mf.bias = bias;
    local.mf.rows = frs_mf_local_rows(&local, arena);
    frs_mf_local_train(&local, &model->settings, &model->base.setup, arena, out);
    out->kept.rows[1] = bias;
    out->kept.stored[0] = out->upload[0];
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct pfedrec *model = context;
    size_t dim = model->settings.dim;
    const float *head = model->heads + client * dim, *rows[CHUNK];
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        frs_own_tables_rows(model->own, client, items + at, count, held->part[0], rows);
        frs_products(head, dim, rows, count, model->biases[client], scores + at);
    }
}

const struct frs_learner frs_learner_pfedrec = {
    .plugin = {.name = "pfedrec",
        .summary = "a shared item table, and a score head and a copy of the table for every client",
        .source = "Zhang et al. 2023 and its published code; dim of PFedCLR's table 1",
        .params = params},
    .takes_stale = true,
    .averaging = FRS_AVERAGES_WEIGHTED,
    .follows_rate = true,
    .limits_epochs = true,
    .create = create,
    .train = train,
    .aggregate = frs_model_average,
    .gather = frs_model_gather,
    .score = score,
};
