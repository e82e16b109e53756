/* GPFedRec: the server finds out from the uploaded item tables which users are similar, and sends every
 * client the mean of its neighbours' tables (Zhang et al. 2024, KDD).
 *
 * A client holds a user vector and a perceptron of its own (fedncf.c), which never leave it. It trains the
 * item table Q_u from the global table g by SGD on
 *
 *     mean BCE + λ · mean over all m·d values of (Q_u − R_u)²
 *
 * where R_u is the table that the server has sent to this client alone. The item rate is so large
 * (learning_rate · m · factor) that the second term moves *every* row in every batch by `pull` =
 * 2·λ·learning_rate·factor/d of its way to R_u, a half with the published settings. After S batches a row
 * that no sample touched is
 *
 *     kept · g + (1 − kept) · R_u        with kept = (1 − pull)^S
 *
 * so the upload is the touched rows and `kept`, 4 bytes more than the table under codec dense.
 *
 * The server computes the cosines of all pairs of uploaded tables. Neighbours are those above the mean
 * cosine (or the k most similar): R = A^L Q with rows of A that sum to 1, and the new g is the mean over
 * the R_u. In `published_code` neighbours are those above the mean cosine *distance*: the least similar
 * ones.
 *
 * The server keeps R, one table for each client of the last aggregation, which is the only dense memory
 * here. A client that was not in the last aggregation is sent g alone, and R_u = g. */
#include "algorithms/kernels/steps/perceptron.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/algebra/user_graph.h"
#include "algorithms/learner.h"
#include "algorithms/models/epochs_params.h"
#include "algorithms/models/init_sd.h"
#include "algorithms/models/layers.h"
#include "algorithms/models/mf_model.h"
#include "algorithms/models/mixed_tables.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 64u /* items that are scored at a time */

struct gpfedrec {
    struct frs_model base;
    struct frs_mf_settings settings;
    struct frs_perceptron_shape shape;
    struct frs_neighbourhood neighbourhood;
    size_t propagations;
    float network_rate, pull;
    struct frs_mixed_tables tables; /* g and R */
    /* NULL when only timing is asked for. */
    float *users;    /* p [n_clients × dim] */
    float *networks; /* [n_clients × parameters], see perceptron.h */
    float *kept;     /* [n_clients] */
};

enum variant { PAPER, PUBLISHED_CODE };
static const char *const variant_names[] = {[PAPER] = "paper", [PUBLISHED_CODE] = "published_code", NULL};

static const struct frs_param params[] = {
    {.key = "variant",
        .type = FRS_CHOICE,
        .initial = "paper",
        .choices = variant_names,
        .help = "paper: neighbours are the most similar users; published_code: the least similar, because it "
                "takes the cosine distance for a similarity"},
    {.key = "dim",
        .type = FRS_INT,
        .initial = "32",
        .min = 1,
        .max = 256,
        .help = "length d of a user or item vector"},
    {.key = "layers",
        .type = FRS_TEXT,
        .initial = "32,16,8",
        .help = "widths of the hidden layers, separated by commas; the input has 2 * dim, the output 1"},
    FRS_EPOCHS_PARAM("1"),
    FRS_BATCH_PARAM("256"),
    {.key = "learning_rate",
        .type = FRS_REAL,
        .initial = "0.1",
        .min = 0,
        .max = 1e6,
        .help = "step size of the perceptron"},
    {.key = "item_rate_factor",
        .type = FRS_REAL,
        .initial = "80",
        .min = 0,
        .max = 1e6,
        .help = "item rows learn at learning_rate times the number of items times this"},
    {.key = "user_rate_factor",
        .type = FRS_REAL,
        .initial = "79",
        .min = 0,
        .max = 1e6,
        .help = "the user vector learns at learning_rate times this"},
    {.key = "regularisation",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0,
        .max = 1e6,
        .help = "weight lambda of the squared distance from the table the client was sent"},
    {.key = "neighbours",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "neighbours of a user; 0: as many as are above the threshold"},
    {.key = "threshold",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0,
        .max = 1e6,
        .help = "neighbours are above this times the mean over all pairs; with neighbours = 0"},
    {.key = "propagations",
        .type = FRS_INT,
        .initial = "1",
        .min = 1,
        .max = 100,
        .help = "how often tables are averaged over neighbours (layers L of the graph convolution)"},
    FRS_INIT_SD_PARAM("1", "the initial item table and user vector"),
    {0},
};

/* ---- the model ------------------------------------------------------------------------------- */

static size_t n_parameters(const struct gpfedrec *model) {
    return frs_perceptron_parameters(&model->shape);
}

static struct frs_mf_settings read_settings(const struct frs_values *values, size_t n_items) {
    struct frs_mf_settings s = {.dim = (size_t)frs_values_int(values, "dim"), .shared_user_init = true};
    double rate = frs_values_real(values, "learning_rate");
    s.init_sd = s.user_init_sd = frs_init_sd(values, s.dim);
    s.local = (struct frs_bce_mf_settings){
        .batch = (size_t)frs_values_int(values, "batch"),
        .optimiser = FRS_SGD,
        .scaling = FRS_BATCH_MEAN,
        .user_rate = (float)(rate * frs_values_real(values, "user_rate_factor")),
        .item_rate = (float)(rate * (double)n_items * frs_values_real(values, "item_rate_factor")),
        .gradient_scale = 1,
    };
    frs_epochs_read(values, &s.local.epochs, &s.local.steps);
    return s;
}

/* Every client begins with the same vector and network, as copies of one model do. */
static void init_clients(struct gpfedrec *model) {
    const struct frs_population *population = model->base.setup.population;
    size_t size = n_parameters(model);
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 1, 0, FRS_RNG_INIT);
    frs_perceptron_init(&model->shape, FRS_START_UNIFORM, &rng, model->networks);
    for (size_t u = 0; u < population->n_clients; u++) {
        if (u > 0)
            memcpy(model->networks + u * size, model->networks, size * sizeof *model->networks);
        model->kept[u] = 1;
    }
}

/* The network is counted among a client's parameters, what is kept of g is not. */
static void declare(struct gpfedrec *model) {
    struct frs_model *base = &model->base;
    struct frs_table of_client = {.name = "networks", .owner = FRS_OF_CLIENTS, .dim = n_parameters(model)};
    struct frs_table kept = {.name = "kept", .owner = FRS_OF_CLIENTS, .dim = 1, .uncounted = 1};
    frs_mixed_tables_declare(
        &model->tables, base, frs_mf_items(&model->settings, base->setup.population->n_items));
    frs_model_table(base, (struct frs_table){.name = "kept", .owner = FRS_OF_UPLOAD, .rows = 1, .dim = 1});
    model->users = frs_model_table(base, frs_mf_users(&model->settings));
    model->networks = frs_model_table(base, of_client);
    model->kept = frs_model_table(base, kept);
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct gpfedrec *model = frs_model_create(sizeof *model, setup);
    double rate = frs_values_real(values, "learning_rate");
    model->settings = read_settings(values, setup->population->n_items);
    if (frs_layers_read(values, "layers", model->settings.dim, &model->shape, errors) != FRS_OK) {
        frs_model_destroy(model);
        return NULL;
    }
    model->neighbourhood.farthest = frs_values_choice(values, "variant") == PUBLISHED_CODE;
    model->neighbourhood.n = (size_t)frs_values_int(values, "neighbours");
    if (model->neighbourhood.n == 0)
        model->neighbourhood.threshold = frs_values_real(values, "threshold");
    model->propagations = (size_t)frs_values_int(values, "propagations");
    model->network_rate = (float)rate;
    model->pull = (float)(2 * frs_values_real(values, "regularisation") * rate *
                          frs_values_real(values, "item_rate_factor") / (double)model->settings.dim);
    declare(model);
    if (!setup->timing_only)
        init_clients(model);
    return model;
}

/* ---- a client -------------------------------------------------------------------------------- */

static void put_upload(const struct gpfedrec *model, const struct frs_mf_local *local,
    const struct frs_perceptron *perceptron, size_t n_batches, struct frs_arena *arena,
    struct frs_trained *out) {
    size_t dim = model->settings.dim, n_items = model->base.setup.population->n_items;
    float *kept = frs_arena_take(arena, 1, sizeof *kept);
    *kept = (float)pow(1 - (double)model->pull, (double)n_batches);
    out->upload[0] = (struct frs_rows){.n_rows = n_items,
        .dim = dim,
        .n = perceptron->n_rows,
        .ids = local->samples.ids,
        .values = frs_mf_local_packed(local, perceptron->rows, arena)};
    out->upload[1] = (struct frs_rows){.n_rows = 1, .dim = 1, .n = 1, .values = kept};
    if (n_batches > 0)
        out->flop += 3 * (double)((n_items - perceptron->n_rows) * dim); /* rows that were pulled only */
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct gpfedrec *model = context;
    size_t dim = model->settings.dim, size = n_parameters(model);
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->base.setup, training, model->users, arena);
    const float *own = training->tables->part[1] ? training->tables->part[1] : training->tables->part[0];
    float *target = frs_arena_take(arena, local.mf.n_rows * frs_lanes_pad(dim), sizeof *target);
    frs_rows_gather(own, dim, local.samples.ids, local.mf.n_rows, target);
    struct frs_perceptron perceptron = {.shape = model->shape,
        .n_rows = local.mf.n_rows,
        .rows = frs_mf_local_rows(&local, arena),
        .p = local.mf.p,
        .network = frs_arena_take(arena, size, sizeof(float)),
        .network_rate = model->network_rate,
        .target = target,
        .pull = model->pull};
    memcpy(perceptron.network, model->networks + training->data->client * size, size * sizeof(float));
    struct frs_bce_mf_settings limited = model->settings.local;
    limited.limit = training->epochs;
    struct frs_bce_mf_result result =
        frs_perceptron_train(&perceptron, &local.samples, &limited, &local.shuffle, arena);
    *out = (struct frs_trained){
        .samples = (uint32_t)local.samples.n,
        .flop = result.flop,
        .processed = (double)result.samples,
        .loss = result.loss,
        .epochs = (uint32_t)result.epochs,
    };
    size_t n = local.samples.n, batches = (n + limited.batch - 1) / limited.batch;
    if (n > 0) /* those of whole passes, and of the last one */
        batches = result.samples / n * batches + (result.samples % n + limited.batch - 1) / limited.batch;
    put_upload(model, &local, &perceptron, batches, arena, out);
    out->kept = (struct frs_kept){
        .rows = {perceptron.p, perceptron.network, out->upload[1].values}, .stored = {out->upload[0]}};
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct gpfedrec *model = context;
    size_t dim = model->settings.dim;
    const float *global = held->part[0], *own = held->part[1] ? held->part[1] : global;
    float *rows = frs_alloc_aligned(CHUNK * dim, sizeof *rows); /* scores are asked for on small stacks */
    uint32_t places[CHUNK];
    for (uint32_t i = 0; i < CHUNK; i++)
        places[i] = i;
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        for (size_t i = 0; i < count; i++) {
            size_t row = items[at + i] * dim;
            const float *touched = frs_mixed_tables_trained(&model->tables, client, items[at + i]);
            if (touched)
                memcpy(rows + i * dim, touched, dim * sizeof *rows);
            else
                frs_pulled_row(global + row, own + row, model->kept[client], dim, rows + i * dim);
        }
        frs_perceptron_score(&model->shape, model->networks + client * n_parameters(model),
            model->users + client * dim, rows, places, count, scores + at);
    }
    free(rows);
}

/* ---- the server ------------------------------------------------------------------------------ */

static void weigh(
    const void *context, float *distances, const double *shares, size_t n, struct frs_arena *arena) {
    const struct gpfedrec *model = context;
    (void)shares;
    frs_user_graph_neighbours(distances, n, &model->neighbourhood, arena);
}

static void gather(void *context, const struct frs_contribution *contributions, size_t n) {
    struct gpfedrec *model = context;
    frs_mixed_tables_gather(&model->tables, contributions, n);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct gpfedrec *model = context;
    struct frs_mixing mixing = {.weigh = weigh, .context = model, .propagations = model->propagations};
    frs_mixed_tables_aggregate(&model->tables, contributions, n, &mixing, model->base.pool, arena);
}

static double aggregate_bytes(const void *context, size_t n, size_t threads) {
    const struct gpfedrec *model = context;
    return frs_mixed_tables_bytes(&model->tables, n, model->propagations, threads);
}

static double aggregate_flop(const void *context, size_t n, double values) {
    const struct gpfedrec *model = context;
    (void)values;
    return frs_mixed_tables_flop(&model->tables, n, model->propagations);
}

const struct frs_learner frs_learner_gpfedrec = {
    .plugin = {.name = "gpfedrec",
        .summary = "a perceptron for every client, item tables averaged over similar users by the server",
        .source = "Zhang et al. 2024 (KDD) and its published code",
        .params = params},
    .limits_epochs = true,
    .own_step = FRS_MIXED_TABLES_OWN_STEP,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .train = train,
    .gather = gather,
    .aggregate = aggregate,
    .aggregate_flop = aggregate_flop,
    .aggregate_bytes = aggregate_bytes,
    .score = score,
};
