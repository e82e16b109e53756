/* LightGCN (He et al., SIGIR 2020) with all data in one place: embeddings that are averaged over the graph
 * of users and their training items.
 *
 *     F = (E + P E + … + P^K E) / (K + 1),  P = D^(−1/2) A D^(−1/2),  score(u, i) = f_u · f_i
 *
 * `bpr`: mean over pairs of a positive i and a negative j of −log σ(f_u·f_i − f_u·f_j); `bce`: mean over
 * samples of the binary cross-entropy. Both have l2/2 (‖e_u‖² + ‖e_i‖² [+ ‖e_j‖²]) beside them, and dense
 * Adam. */
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/dense_adam.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/interaction_graph.h"
#include "algorithms/kernels/products.h"
#include "algorithms/non_federated.h"
#include "algorithms/non_federated/epoch_samples.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum loss { LOSS_BPR, LOSS_BCE };

static const char *const loss_names[] = {[LOSS_BPR] = "bpr", [LOSS_BCE] = "bce", NULL};

struct model {
    size_t pitch;
    uint32_t n_users;
    float *values; /* F [n_users + n_items × pitch] */
};

struct trainer {
    const struct frs_population *population;
    enum loss loss;
    size_t dim, pitch, layers, batch;
    double rate;
    float l2;
    struct frs_interaction_graph graph;
    struct frs_dense_adam adam; /* of E */
    float *averaged;            /* F */
    float *slopes;              /* of the loss by F */
    struct frs_epoch_samples drawn;
};

static struct frs_interaction_graph make_graph(const struct frs_population *population, size_t pitch) {
    const uint32_t **items = frs_alloc(population->n_clients, sizeof *items);
    size_t *n = frs_alloc(population->n_clients, sizeof *n);
    for (uint32_t u = 0; u < population->n_clients; u++) {
        items[u] = population->clients[u].items;
        n[u] = population->clients[u].n;
    }
    struct frs_interaction_graph graph =
        frs_interaction_graph_create(population->n_clients, population->n_items, items, n, pitch);
    free(items);
    free(n);
    return graph;
}

static float *row_of(const struct trainer *trainer, float *table, size_t node) {
    return table + node * trainer->pitch;
}

static size_t item_node(const struct trainer *trainer, uint32_t item) {
    return (size_t)trainer->population->n_clients + item;
}

static float product(const struct trainer *trainer, size_t left, size_t right) {
    const float *x = row_of(trainer, trainer->averaged, left), *y = row_of(trainer, trainer->averaged, right);
    float sum = 0;
    for (size_t k = 0; k < trainer->dim; k++)
        sum += x[k] * y[k];
    return sum;
}

/* What a score's slope does to the two averaged rows that it is the product of. */
static void add_slope(struct trainer *trainer, size_t user, size_t item, float slope) {
    const float *p = row_of(trainer, trainer->averaged, user), *q = row_of(trainer, trainer->averaged, item);
    float *dp = row_of(trainer, trainer->slopes, user), *dq = row_of(trainer, trainer->slopes, item);
    for (size_t k = 0; k < trainer->dim; k++) {
        dp[k] += slope * q[k];
        dq[k] += slope * p[k];
    }
}

/* The gradient of the norms acts on the embeddings themselves. It waits in the gradients of Adam until
 * those of the averages join it. */
static void add_decay(struct trainer *trainer, size_t node, float factor) {
    const float *x = row_of(trainer, trainer->adam.x, node);
    float *g = row_of(trainer, trainer->adam.g, node);
    for (size_t k = 0; k < trainer->dim; k++)
        g[k] += factor * x[k];
}

static bool is_excluded(const struct frs_client_data *user, uint32_t item) {
    size_t low = 0, high = user->n_excluded;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (user->excluded[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < user->n_excluded && user->excluded[low] == item;
}

static float logistic(float x) {
    return x >= 0 ? 1 / (1 + expf(-x)) : expf(x) / (1 + expf(x));
}

/* A user that has excluded every item has no pairs. */
static void add_pair(
    struct trainer *trainer, const struct frs_sample *sample, float weight, struct frs_rng *rng) {
    const struct frs_client_data *user = &trainer->population->clients[sample->user];
    if (user->n_excluded >= trainer->population->n_items)
        return;
    uint32_t negative = frs_rng_below(rng, trainer->population->n_items);
    while (is_excluded(user, negative))
        negative = frs_rng_below(rng, trainer->population->n_items);
    size_t u = sample->user, i = item_node(trainer, sample->item >> 1), j = item_node(trainer, negative);
    float slope = -weight * logistic(product(trainer, u, j) - product(trainer, u, i));
    add_slope(trainer, u, i, slope);
    add_slope(trainer, u, j, -slope);
    add_decay(trainer, u, weight * trainer->l2);
    add_decay(trainer, i, weight * trainer->l2);
    add_decay(trainer, j, weight * trainer->l2);
}

static void add_sample(struct trainer *trainer, const struct frs_sample *sample, float weight) {
    size_t u = sample->user, i = item_node(trainer, sample->item >> 1);
    add_slope(trainer, u, i, weight * (logistic(product(trainer, u, i)) - (float)(sample->item & 1)));
    add_decay(trainer, u, weight * trainer->l2);
    add_decay(trainer, i, weight * trainer->l2);
}

static void step(struct trainer *trainer, const struct frs_sample *samples, size_t n, struct frs_rng *rng) {
    size_t n_values = trainer->adam.n;
    float weight = 1 / (float)n;
    frs_interaction_graph_mean(&trainer->graph, trainer->layers, trainer->adam.x, trainer->averaged);
    memset(trainer->slopes, 0, n_values * sizeof *trainer->slopes);
    for (size_t i = 0; i < n; i++)
        if (trainer->loss == LOSS_BPR)
            add_pair(trainer, &samples[i], weight, rng);
        else
            add_sample(trainer, &samples[i], weight);
    frs_interaction_graph_mean(&trainer->graph, trainer->layers, trainer->slopes, trainer->averaged);
    for (size_t i = 0; i < n_values; i++)
        trainer->adam.g[i] += trainer->averaged[i];
    frs_dense_adam_run(&trainer->adam, trainer->rate);
}

static void pass(struct trainer *trainer, uint32_t epoch, const atomic_bool *stopped) {
    struct frs_rng rng =
        frs_rng_stream(trainer->population->seed, FRS_RNG_SERVER, epoch, 2, FRS_RNG_NON_FEDERATED);
    frs_epoch_samples_draw(&trainer->drawn, epoch);
    for (size_t at = 0; at < trainer->drawn.n && !frs_is_stopped(stopped); at += trainer->batch) {
        size_t left = trainer->drawn.n - at;
        step(trainer, trainer->drawn.samples + at, left < trainer->batch ? left : trainer->batch, &rng);
    }
}

/* Columns beyond `dim` are zeros and stay so. */
static void draw(struct trainer *trainer, double sd) {
    struct frs_rng rng =
        frs_rng_stream(trainer->population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    for (size_t node = 0; node < trainer->graph.n_nodes; node++)
        frs_rng_fill_normal(&rng, row_of(trainer, trainer->adam.x, node), trainer->dim, sd);
}

static struct trainer begin(const struct frs_values *values, const struct frs_population *population) {
    size_t dim = (size_t)frs_values_int(values, "dim"), pitch = frs_lanes_pad(dim),
           n = ((size_t)population->n_clients + population->n_items) * pitch;
    enum loss loss = (enum loss)frs_values_choice(values, "loss");
    struct trainer trainer = {.population = population,
        .loss = loss,
        .dim = dim,
        .pitch = pitch,
        .layers = (size_t)frs_values_int(values, "layers"),
        .batch = (size_t)frs_values_int(values, "batch"),
        .rate = frs_values_real(values, "learning_rate"),
        .l2 = (float)frs_values_real(values, "l2"),
        .graph = make_graph(population, pitch),
        .adam = frs_dense_adam_create(n),
        .averaged = frs_alloc_aligned(n, sizeof(float)),
        .slopes = frs_alloc_aligned(n, sizeof(float)),
        .drawn = {.population = population,
            .negatives = loss == LOSS_BCE ? (size_t)frs_values_int(values, "negatives") : 0}};
    draw(&trainer, frs_values_real(values, "init"));
    return trainer;
}

/* Values, gradients, two moments, the averages, their slopes and a table to scale in; edges both ways. */
static double bytes_of(const struct frs_values *values, const struct frs_population *population) {
    double nodes = (double)population->n_clients + population->n_items,
           samples = frs_epoch_samples_bytes(population, (size_t)frs_values_int(values, "negatives"));
    return 4 * 7 * nodes * (double)frs_lanes_pad((size_t)frs_values_int(values, "dim")) + 2 * samples;
}

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    struct trainer trainer = begin(values, population);
    uint32_t epochs = (uint32_t)frs_values_int(values, "epochs");
    unsigned rounding = frs_flush_begin();
    for (uint32_t epoch = 0; epoch < epochs && !frs_is_stopped(stopped); epoch++)
        pass(&trainer, epoch, stopped);
    frs_interaction_graph_mean(&trainer.graph, trainer.layers, trainer.adam.x, trainer.averaged);
    frs_flush_end(rounding);
    struct model *model = frs_alloc(1, sizeof *model);
    *model = (struct model){trainer.pitch, population->n_clients, trainer.averaged};
    free(trainer.adam.x);
    frs_dense_adam_fini(&trainer.adam);
    frs_epoch_samples_fini(&trainer.drawn);
    frs_interaction_graph_fini(&trainer.graph);
    free(trainer.slopes);
    return model;
}

static void destroy(void *memory) {
    struct model *model = memory;
    free(model->values);
    free(model);
}

static void score(const void *memory, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct model *model = memory;
    const float *table = model->values + model->n_users * model->pitch;
    frs_table_products(model->values + client * model->pitch, model->pitch, table, items, n, 0, scores);
}

static const struct frs_param params[] = {
    {.key = "dim", .type = FRS_INT, .initial = "16", .min = 1, .max = 4096, .help = "length of an embedding"},
    {.key = "layers",
        .type = FRS_INT,
        .initial = "3",
        .min = 0,
        .max = 100,
        .help = "steps along the graph over which embeddings are averaged; 0: matrix factorisation"},
    {.key = "loss",
        .type = FRS_CHOICE,
        .initial = "bpr",
        .choices = loss_names,
        .help = "bpr: pairs of a positive and one negative; bce: binary cross-entropy of single samples"},
    {.key = "negatives",
        .type = FRS_INT,
        .initial = "4",
        .min = 0,
        .max = 1000,
        .help = "loss = bce: negatives per positive"},
    {.key = "epochs",
        .type = FRS_INT,
        .initial = "100",
        .min = 0,
        .max = 1e5,
        .help = "passes over the data"},
    {.key = "batch",
        .type = FRS_INT,
        .initial = "256",
        .min = 1,
        .max = 1e7,
        .help = "pairs or samples per step; every step goes along the whole graph twice"},
    {.key = "learning_rate", .type = FRS_REAL, .initial = "0.001", .max = 10, .help = "of Adam"},
    {.key = "l2",
        .type = FRS_REAL,
        .initial = "1e-4",
        .max = 10,
        .help = "weight decay of embeddings, per occurrence in a batch"},
    {.key = "init",
        .type = FRS_REAL,
        .initial = "0.1",
        .max = 100,
        .help = "standard deviation of initial embeddings"},
    {.key = NULL},
};

const struct frs_non_federated_model frs_non_federated_model_lightgcn = {
    .plugin = {.name = "lightgcn",
        .summary = "embeddings averaged over the graph of users and items, all data in one place",
        .source = "He et al., SIGIR 2020 (LightGCN); initial values of its published code",
        .params = params},
    .memory_bytes = bytes_of,
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
