/* FedFast: clients are clustered by their vectors, a cohort takes as many from every cluster (ActvSAMP,
 * rounds.selection = "by_group"), and what the cohort has learnt moves the vectors of the clients that
 * were not selected (ActvAGG; Muhammad et al., KDD 2020).
 *
 * Here over ratings, with the local training of fedmf_ratings. A client uploads its vector beside the rows
 * of its items. The server averages an item's row over the clients that changed it (aggregation =
 * "per_item": evenly; "by_change", as in the paper: weighted by the length of their change). It moves the
 * vectors of the other clients of a cluster by the mean move of its participants. Then k-means over all
 * vectors forms the clusters of the next round. So, unlike in other methods, the server knows user
 * vectors. Biases stay private.
 *
 * A client that takes part downloads its vector as the server has moved it. In this program all clients
 * download the same: the part "vector" represents that row by its length, and clients continue from their
 * own vector. */
#include "algorithms/aggregation.h"
#include "algorithms/kernels/algebra/cluster.h"
#include "algorithms/models/rating_mf.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fedfast {
    struct frs_rating_mf mf;
    uint32_t n_groups;
    bool propagates, by_change;
    uint32_t n_clusterings;
    float *vector;    /* [dim] of the last client that arrived, as the state's second part */
    float *known;     /* [n_clients × dim] user vectors as the server knows them */
    uint32_t *groups; /* [n_clients] */
};

enum aggregation { BY_CHANGE, PER_ITEM };
static const char *const aggregation_names[] = {[BY_CHANGE] = "by_change", [PER_ITEM] = "per_item", NULL};

static const struct frs_param params[] = {
    FRS_RATING_MF_PARAMS("1", "0.05", "0.1"),
    {.key = "clusters",
        .type = FRS_INT,
        .initial = "10",
        .min = 1,
        .max = 100000,
        .help = "clusters of clients"},
    {.key = "aggregation",
        .type = FRS_CHOICE,
        .initial = "per_item",
        .choices = aggregation_names,
        .help =
            "weight of a client in an item's mean: by_change, the length of its change of the row (ActvAGG); "
            "per_item, the same for all that changed it"},
    {.key = "propagate",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "whether clients that were not selected move with those of their cluster (ActvAGG)"},
    {0},
};

/* Vectors alone, without the bias behind each. */
static void cluster(struct fedfast *model) {
    const struct frs_population *population = model->mf.base.setup.population;
    struct frs_rng rng =
        frs_rng_stream(population->seed, FRS_RNG_SERVER, model->n_clusterings++, 0, FRS_RNG_CLUSTERS);
    struct frs_arena arena = {0};
    struct frs_groups found =
        frs_kmeans(model->known, population->n_clients, model->mf.dim, model->n_groups, &rng, &arena);
    memcpy(model->groups, found.group, population->n_clients * sizeof *model->groups);
    frs_arena_fini(&arena);
}

/* ---- the groups as a store ------------------------------------------------------------------- */

static void archive_groups(void *store, struct frs_archive *archive) {
    struct fedfast *model = store;
    size_t n_clients = model->mf.base.setup.population->n_clients;
    frs_archive_bytes(archive, model->groups, n_clients * sizeof *model->groups);
    for (size_t u = 0; frs_archive_loads(archive) && u < n_clients; u++)
        if (model->groups[u] >= model->n_groups)
            archive->in->failed = 1;
}

static void free_groups(void *store) {
    free(((struct fedfast *)store)->groups);
}

static const struct frs_store_type group_store = {.archive = archive_groups, .destroy = free_groups};

/* Only the bias of a client is private: its vector is the state's second part. */
static void declare(struct fedfast *model) {
    struct frs_model *base = &model->mf.base;
    uint32_t n_clients = base->setup.population->n_clients;
    size_t dim = model->mf.dim;
    base->tables[base->n_tables - 1].uncounted = dim;
    model->vector = frs_model_table(base, (struct frs_table){.name = "vector", .rows = 1, .dim = dim});
    model->groups = frs_alloc(n_clients, sizeof *model->groups);
    frs_model_store(base, (struct frs_store){.type = &group_store, .self = model});
    frs_model_counter(base, &model->n_clusterings);
    if (!base->setup.timing_only)
        model->known = frs_model_table(
            base, (struct frs_table){.name = "known", .owner = FRS_OF_SERVER, .rows = n_clients, .dim = dim});
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    uint32_t n_clients = setup->population->n_clients;
    struct fedfast *model = frs_rating_mf_begin(sizeof *model, values, setup);
    (void)errors;
    size_t dim = model->mf.dim;
    model->n_groups = (uint32_t)frs_values_int(values, "clusters");
    model->n_groups = model->n_groups < n_clients ? model->n_groups : n_clients;
    model->propagates = frs_values_bool(values, "propagate");
    model->by_change = frs_values_choice(values, "aggregation") == BY_CHANGE;
    declare(model);
    for (uint32_t u = 0; u < n_clients; u++)
        model->groups[u] = u % model->n_groups;
    for (uint32_t u = 0; model->known && u < n_clients; u++)
        memcpy(model->known + u * dim, model->mf.users + u * (dim + 1), dim * sizeof *model->known);
    if (model->known)
        cluster(model);
    return model;
}

/* A client without ratings has no vector to speak of. */
static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    static const uint32_t first[] = {0};
    const struct fedfast *model = context;
    frs_rating_mf_train(&model->mf, training, arena, out);
    out->upload[1] = (struct frs_rows){.n_rows = 1,
        .dim = model->mf.dim,
        .n = training->data->n > 0,
        .ids = first,
        .values = out->kept.rows[0]};
}

/* Σ of the moves of a group's participants, their number, and who they are. */
struct moves {
    double *sums;  /* [n_groups × dim] */
    size_t *sizes; /* [n_groups] */
    bool *took_part;
};

static struct moves add_moves(
    struct fedfast *model, const struct frs_contribution *contributions, size_t n, struct frs_arena *arena) {
    size_t dim = model->mf.dim;
    struct moves moves = {.sums = frs_arena_take_zeroed(arena, model->n_groups * dim, sizeof *moves.sums),
        .sizes = frs_arena_take_zeroed(arena, model->n_groups, sizeof *moves.sizes),
        .took_part = frs_arena_take_zeroed(
            arena, model->mf.base.setup.population->n_clients, sizeof *moves.took_part)};
    for (size_t c = 0; c < n; c++) {
        uint32_t client = contributions[c].client, group = model->groups[client];
        const float *sent = contributions[c].parts[1].values;
        if (contributions[c].samples == 0)
            continue;
        moves.took_part[client] = true;
        moves.sizes[group]++;
        for (size_t k = 0; k < dim; k++)
            moves.sums[group * dim + k] += (double)sent[k] - (double)model->known[client * dim + k];
        memcpy(model->known + client * dim, sent, dim * sizeof *sent);
        memcpy(model->vector, sent, dim * sizeof *sent);
    }
    return moves;
}

static void propagate(struct fedfast *model, const struct moves *moves) {
    size_t dim = model->mf.dim;
    for (uint32_t u = 0; u < model->mf.base.setup.population->n_clients; u++) {
        uint32_t group = model->groups[u];
        if (moves->took_part[u] || moves->sizes[group] == 0)
            continue;
        for (size_t k = 0; k < dim; k++) {
            float move = (float)(moves->sums[group * dim + k] / (double)moves->sizes[group]);
            model->known[u * dim + k] += move;
            model->mf.users[u * (dim + 1) + k] += move;
        }
    }
}

static double length(const float *after, const float *before, size_t n) {
    double squared = 0;
    for (size_t k = 0; k < n; k++) {
        double change = (double)after[k] - (double)before[k];
        squared += change * change;
    }
    return sqrt(squared);
}

/* q_i ← q_i + Σ_u ‖Δ_u,i‖ Δ_u,i / Σ_u ‖Δ_u,i‖ over the clients that sent the row; without any change it
 * stays. */
static void average_by_change(
    struct fedfast *model, const struct frs_contribution *contributions, size_t n, struct frs_arena *arena) {
    size_t n_items = contributions[0].parts[0].n_rows, width = contributions[0].parts[0].dim;
    double *sums = frs_arena_take_zeroed(arena, n_items * width, sizeof *sums);
    double *lengths = frs_arena_take_zeroed(arena, n_items, sizeof *lengths);
    for (size_t c = 0; c < n; c++) {
        const struct frs_rows *rows = &contributions[c].parts[0];
        for (size_t i = 0; i < rows->n; i++) {
            size_t item = rows->ids ? rows->ids[i] : i;
            const float *after = rows->values + i * width,
                        *before = contributions[c].base->part[0] + item * width;
            double weight = length(after, before, width);
            lengths[item] += weight;
            for (size_t k = 0; k < width; k++)
                sums[item * width + k] += weight * ((double)after[k] - (double)before[k]);
        }
    }
    for (size_t i = 0; i < n_items * width; i++)
        if (lengths[i / width] > 0)
            model->mf.items[i] += (float)(sums[i] / lengths[i / width]);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct fedfast *model = context;
    if (model->by_change)
        average_by_change(model, contributions, n, arena);
    else
        frs_aggregate_into(model->mf.items, contributions, n, 0, FRS_PER_ITEM, model->mf.base.pool, arena);
    struct moves moves = add_moves(model, contributions, n, arena);
    if (model->propagates)
        propagate(model, &moves);
    cluster(model);
}

/* Sums (of lengths and of weighted changes: five for each value), and k-means' ten iterations over all
 * clients. */
static double aggregate_flop(const void *context, size_t n, double values) {
    const struct fedfast *model = context;
    (void)n;
    return (model->by_change ? 5 : 2) * values +
           20.0 * model->mf.base.setup.population->n_clients * model->n_groups * (double)model->mf.dim;
}

static const uint32_t *groups(const void *context, uint32_t *n_groups) {
    const struct fedfast *model = context;
    *n_groups = model->n_groups;
    return model->groups;
}

const struct frs_learner frs_learner_fedfast = {
    .plugin = {.name = "fedfast",
        .summary = "clients clustered by their vectors, sampled by cluster, and moved with their cluster",
        .source = "Muhammad et al., KDD 2020, over ratings",
        .params = params},
    .limits_epochs = true,
    .predicts_ratings = true,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .train = train,
    .aggregate = aggregate,
    .aggregate_flop = aggregate_flop,
    .groups = groups,
    .score = frs_rating_mf_score,
};
