/* pFedGraph for matrix factorisation: every client gets a mixture of all uploaded item tables, with
 * weights from a collaboration graph that the server learns (Ye et al. 2023, ICML, as PFedCLR's tables
 * compare with it).
 *
 * A client trains (p_u, Q_u) as FedMF does, from the mixture R_u that the server has sent it, and uploads
 * Q_u. The weights of a client over all uploads minimise, on the simplex,
 *
 *   α ‖w − share of the data‖² − Σ_v w_v cos(Q_u − Q_0, Q_v − Q_0)
 *
 * where Q_0 is the initial table. A client that was not in the last aggregation begins at the mean of its
 * uploads by data size, or, as in the published code, at the last mixture made for the client (absent =
 * "last"). The paper's second regulariser, which keeps the local model close in angle to the mixture, is
 * left out. */
#include "algorithms/kernels/products.h"
#include "algorithms/kernels/algebra/user_graph.h"
#include "algorithms/learner.h"
#include "algorithms/models/mf_model.h"
#include "algorithms/models/mixed_tables.h"
#include "sim/base/memory.h"

#include <math.h>

#define CHUNK 64u /* items that are scored at a time */

struct pfedgraph {
    struct frs_model base;
    struct frs_mf_settings settings;
    double alpha;
    uint32_t alike_ppm, apart_ppm; /* of the last aggregation, plus 1; 0: there was none (remark) */
    struct frs_mixed_tables tables;
    float *initial; /* Q_0 [n_items × dim] */
    float *users;   /* p [n_clients × dim]; NULL when only timing is asked for */
};

enum absent { AT_MEAN, AT_LAST };
static const char *const absent_names[] = {[AT_MEAN] = "mean", [AT_LAST] = "last", NULL};

static const struct frs_param params[] = {
    FRS_MF_PARAMS("16", "10", "adam", "0.01", "batch_mean", "0", "1", "shared"),
    {.key = "alpha",
        .type = FRS_REAL,
        .initial = "0.8",
        .min = 1e-9,
        .max = 1e9,
        .help = "how much weights by data size count against similarity; the larger, the more alike all "
                "mixtures"},
    {.key = "absent",
        .type = FRS_CHOICE,
        .initial = "mean",
        .choices = absent_names,
        .help = "where a client begins that was not in the last aggregation: mean, at that of its uploads by "
                "data size; last, at the last mixture made for it, as in the published code"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct pfedgraph *model = frs_model_create(sizeof *model, setup);
    model->settings = frs_mf_settings_read(values);
    model->alpha = frs_values_real(values, "alpha");
    struct frs_table items = frs_mf_items(&model->settings, setup->population->n_items), initial = items;
    initial.owner = FRS_OF_SERVER;
    initial.transient = true;
    model->initial = frs_model_table(&model->base, initial);
    model->tables.keeps = frs_values_choice(values, "absent") == AT_LAST;
    frs_mixed_tables_declare(&model->tables, &model->base, items);
    frs_model_counter(&model->base, &model->alike_ppm);
    frs_model_counter(&model->base, &model->apart_ppm);
    model->users = frs_model_table(&model->base, frs_mf_users(&model->settings));
    return model;
}

/* The table a client begins with. */
static float *start_of(const struct frs_tables *held) {
    return held->part[1] ? held->part[1] : held->part[0];
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct pfedgraph *model = context;
    struct frs_tables start = {.part = {start_of(training->tables)}};
    struct frs_training from = *training;
    from.tables = &start;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->base.setup, &from, model->users, arena);
    local.mf.rows = frs_mf_local_rows(&local, arena);
    frs_mf_local_train(&local, &model->settings, &model->base.setup, arena, out);
    out->kept.stored[0] = out->upload[0];
}

/* Context of one aggregation. */
struct weighing {
    double alpha;
    struct pfedgraph *model; /* where what it says of the graph is noted */
};

static double share_alike(const float *distances, size_t n) {
    double pairs = 0;
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++)
            pairs += u != v && distances[u * n + v] < FRS_USERS_ALIKE;
    return n > 1 ? pairs / ((double)n * (double)(n - 1)) : 1;
}

/* How much of its weights a client has elsewhere than the shares of the data are, on average. */
static double share_apart(const float *weights, const double *shares, size_t n) {
    double apart = 0;
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < n; v++)
            apart += fabs((double)weights[u * n + v] - shares[v]) / 2 / (double)n;
    return apart;
}

static uint32_t millionths(double share) {
    return 1 + (uint32_t)lround(1e6 * fmin(share, 1));
}

static void weigh(
    const void *context, float *distances, const double *shares, size_t n, struct frs_arena *arena) {
    const struct weighing *weighing = context;
    weighing->model->alike_ppm = millionths(share_alike(distances, n));
    frs_user_graph_learn(distances, n, shares, weighing->alpha, arena);
    weighing->model->apart_ppm = millionths(share_apart(distances, shares, n));
}

static char *remark(const void *context, const char **name) {
    const struct pfedgraph *model = context;
    *name = "graph";
    if (model->alike_ppm == 0)
        return NULL;
    return frs_format("%.1f %% of the pairs of clients count as alike (cosine above .9) in the last "
                      "aggregation; %.1f %% of a "
                      "client's weights are not those by data size%s",
        1e-4 * (model->alike_ppm - 1), 1e-4 * (model->apart_ppm - 1),
        model->apart_ppm - 1 < 10000 ? ": all mixtures are the mean" : "");
}

static void gather(void *context, const struct frs_contribution *contributions, size_t n) {
    struct pfedgraph *model = context;
    frs_mixed_tables_gather(&model->tables, contributions, n);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct pfedgraph *model = context;
    struct weighing weighing = {model->alpha, model};
    struct frs_mixing mixing = {.reference = model->initial,
        .weigh = weigh,
        .context = &weighing,
        .propagations = 1,
        .averages_uploads = true};
    frs_mixed_tables_aggregate(&model->tables, contributions, n, &mixing, model->base.pool, arena);
}

static double aggregate_bytes(const void *context, size_t n, size_t threads) {
    const struct pfedgraph *model = context;
    return frs_mixed_tables_bytes(&model->tables, n, 1, threads);
}

/* Beside the mixing, sorting n values for each of n users. */
static double aggregate_flop(const void *context, size_t n, double values) {
    const struct pfedgraph *model = context;
    double users = (double)n;
    (void)values;
    return frs_mixed_tables_flop(&model->tables, n, 1) + users * users * log2(users);
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct pfedgraph *model = context;
    size_t dim = model->settings.dim;
    const float *start = start_of(held), *rows[CHUNK];
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        for (size_t i = 0; i < count; i++) {
            const float *trained = frs_mixed_tables_trained(&model->tables, client, items[at + i]);
            rows[i] = trained ? trained : start + items[at + i] * dim;
        }
        frs_products(model->users + client * dim, dim, rows, count, 0, scores + at);
    }
}

const struct frs_learner frs_learner_pfedgraph = {
    .plugin = {.name = "pfedgraph",
        .summary = "matrix factorisation, item tables mixed by a collaboration graph the server learns",
        .source = "Ye et al. 2023 (ICML); defaults of PFedCLR's table 1",
        .params = params},
    .limits_epochs = true,
    .own_step = FRS_MIXED_TABLES_OWN_STEP,
    .own_tables_for_one_in = 10,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .train = train,
    .gather = gather,
    .aggregate = aggregate,
    .aggregate_flop = aggregate_flop,
    .aggregate_bytes = aggregate_bytes,
    .score = score,
    .remark = remark,
};
