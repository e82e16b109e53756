/* pFedGraph for matrix factorisation: every client gets a mixture of all uploaded item tables, with weights
 * from a collaboration graph that the server learns (Ye et al. 2023, ICML, as PFedCLR's tables compare with
 * it).
 *
 * A client trains (p_u, Q_u) as FedMF does, from the mixture R_u the server has sent it, and uploads Q_u.
 * Weights of a client over all uploads minimise, on the simplex,
 *
 *   α ‖w − share of the data‖² − Σ_v w_v cos(Q_u − Q_0, Q_v − Q_0)
 *
 * Q_0 being the initial table. Who was not in the last aggregation begins at the mean of its uploads by data
 * size. The paper's second regulariser, which keeps the local model close in angle to the mixture, is left
 * out. */
#include "algorithms/kernels/user_graph.h"
#include "algorithms/learner.h"
#include "algorithms/learners/mf_local.h"
#include "algorithms/learners/mixed_tables.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct pfedgraph {
    struct frs_mf_settings settings;
    double alpha;
    struct frs_learner_setup setup;
    struct frs_mixed_tables tables;
    float *initial; /* Q_0 [n_items × dim] */
    /* Private states; NULL when only timing is asked for. */
    float *users; /* p [n_clients × dim] */
};

static const struct frs_param params[] = {
    FRS_MF_PARAMS("16", "10", "adam", "0.01", "batch_mean", "0", "1", "shared"),
    {.key = "alpha",
        .type = FRS_REAL,
        .initial = "0.8",
        .min = 1e-9,
        .max = 1e9,
        .help = "how much weights by data size count against similarity; the larger, the more alike all "
                "mixtures"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    const struct frs_population *population = setup->population;
    struct pfedgraph *model = frs_alloc(1, sizeof *model);
    *model = (struct pfedgraph){
        .settings = frs_mf_settings_read(values), .alpha = frs_values_real(values, "alpha"), .setup = *setup};
    model->initial = frs_mf_init_items(&model->settings, population->n_items, population->seed);
    float *items = frs_mf_init_items(&model->settings, population->n_items, population->seed);
    model->tables =
        frs_mixed_tables_create(population->n_clients, population->n_items, model->settings.dim, items);
    if (setup->timing_only)
        return model;
    model->users = frs_mf_init_users(&model->settings, population->n_clients, population->seed);
    return model;
}

static void destroy(void *context) {
    struct pfedgraph *model = context;
    frs_mixed_tables_fini(&model->tables);
    free(model->initial);
    free(model->users);
    free(model);
}

static size_t parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    (void)payload;
    const struct pfedgraph *model = context;
    out[0] = (struct frs_part){
        .name = "items", .n_rows = model->setup.population->n_items, .dim = model->settings.dim};
    return 1;
}

static size_t private_values(const void *context) {
    const struct pfedgraph *model = context;
    return model->settings.dim;
}

static struct frs_tables tables(const void *context) {
    const struct pfedgraph *model = context;
    return (struct frs_tables){.part = {model->tables.global}};
}

static struct frs_tables personal(const void *context, uint32_t client) {
    const struct pfedgraph *model = context;
    return (struct frs_tables){.part = {model->tables.own[client]}};
}

/* The table a client begins with. */
static float *start_of(const struct frs_tables *held) {
    return held->part[1] ? held->part[1] : held->part[0];
}

/* A private state as it is committed, in words of four bytes: p [dim], n, and for n items their ids and rows
 * [n × dim]. */
static void pack_private(
    const struct frs_mf_local *local, size_t dim, struct frs_arena *arena, struct frs_trained *out) {
    size_t n = local->mf.n_rows;
    out->private_bytes = sizeof(float) * (dim + 1 + n * (1 + dim));
    float *packed = frs_arena_take(arena, out->private_bytes, 1);
    uint32_t count = (uint32_t)n;
    out->private_state = packed;
    memcpy(packed, local->mf.p, dim * sizeof *packed);
    packed += dim;
    memcpy(packed++, &count, sizeof count);
    if (n == 0)
        return;
    memcpy(packed, out->upload[0].ids, n * sizeof count);
    memcpy(packed + n, out->upload[0].values, n * dim * sizeof *packed);
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct pfedgraph *model = context;
    struct frs_tables start = {.part = {start_of(training->tables)}};
    struct frs_training from = *training;
    from.tables = &start;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->setup, &from, model->users, arena);
    local.mf.rows = frs_mf_local_rows(&local, arena);
    frs_mf_local_train(&local, &model->settings, &model->setup, arena, out);
    pack_private(&local, model->settings.dim, arena, out);
}

static void commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct pfedgraph *model = context;
    size_t dim = model->settings.dim;
    const float *packed = private_state;
    uint32_t n;
    (void)private_bytes;
    memcpy(model->users + client * dim, packed, dim * sizeof *packed);
    memcpy(&n, packed + dim, sizeof n);
    packed += dim + 1;
    frs_mixed_tables_commit(&model->tables, client, (const uint32_t *)packed, packed + n, n);
}

static void weigh(
    const void *context, float *distances, const double *shares, size_t n, struct frs_arena *arena) {
    const struct pfedgraph *model = context;
    frs_user_graph_learn(distances, n, shares, model->alpha, arena);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct pfedgraph *model = context;
    struct frs_mixing mixing = {.reference = model->initial,
        .weigh = weigh,
        .context = model,
        .propagations = 1,
        .averages_uploads = true};
    frs_mixed_tables_aggregate(&model->tables, contributions, n, &mixing, arena);
}

/* Beside the mixing, sorting n values for each of n users. */
static double aggregate_flop(const void *context, size_t n, double values) {
    const struct pfedgraph *model = context;
    double users = (double)n;
    (void)values;
    return frs_mixed_tables_flop(&model->tables, n, 1) + users * users * log2(users);
}

static void archive(void *context, struct frs_archive *archive) {
    struct pfedgraph *model = context;
    const struct frs_population *population = model->setup.population;
    size_t dim = model->settings.dim, n = population->n_clients;
    frs_mixed_tables_archive(&model->tables, archive);
    frs_archive_bytes(archive, model->users, n * dim * sizeof *model->users);
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct pfedgraph *model = context;
    size_t dim = model->settings.dim;
    const float *start = start_of(held), *p = model->users + client * dim;
    for (size_t i = 0; i < n; i++) {
        const float *row = frs_mixed_tables_trained(&model->tables, client, items[i]);
        float sum = 0;
        row = row ? row : start + items[i] * dim;
        for (size_t k = 0; k < dim; k++)
            sum += p[k] * row[k];
        scores[i] = sum;
    }
}

const struct frs_learner frs_learner_pfedgraph = {
    .plugin = {.name = "pfedgraph",
        .summary = "matrix factorisation, item tables mixed by a collaboration graph the server learns",
        .source = "Ye et al. 2023 (ICML); defaults of PFedCLR's table 1",
        .params = params},
    .limits_epochs = true,
    .create = create,
    .destroy = destroy,
    .parts = parts,
    .private_values = private_values,
    .tables = tables,
    .personal = personal,
    .train = train,
    .commit = commit,
    .aggregate = aggregate,
    .aggregate_flop = aggregate_flop,
    .archive = archive,
    .score = score,
};
