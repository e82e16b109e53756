/* FedMF: matrix factorisation with private user vectors and one item table that travels whole, both ways
 * (Chai et al. 2021 with FedAvg; algorithms.md, section 2).
 *
 * A client loads Q, trains (p_u, Q_u) for E epochs and uploads Q_u; the server averages what arrived. Rows no
 * batch has touched stay exactly as received, so only touched rows are trained, compared and averaged. */
#include "algorithms/aggregation.h"
#include "algorithms/learner.h"
#include "algorithms/learners/mf_local.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct fedmf {
    struct frs_mf_settings settings;
    enum frs_weighting weighting;
    struct frs_learner_setup setup;
    float *items; /* Q [n_items × dim] */
    float *users; /* p [n_clients × dim]; NULL when only timing is asked for */
};

static const struct frs_param params[] = {
    FRS_MF_PARAMS("16", "10", "adam", "0.01", "batch_mean", "0", "1", "shared"),
    {.key = "aggregation",
        .type = FRS_CHOICE,
        .initial = "data_size",
        .choices = frs_weighting_names,
        .help =
            "weight of an upload: data_size, uniform, or per_item over the clients that changed the item"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct fedmf *model = frs_alloc(1, sizeof *model);
    model->settings = frs_mf_settings_read(values);
    model->weighting = (enum frs_weighting)frs_values_choice(values, "aggregation");
    model->setup = *setup;
    const struct frs_population *population = setup->population;
    model->items = frs_mf_init_items(&model->settings, population->n_items, population->seed);
    if (!setup->timing_only)
        model->users = frs_mf_init_users(&model->settings, population->n_clients, population->seed);
    return model;
}

static void destroy(void *context) {
    struct fedmf *model = context;
    free(model->items);
    free(model->users);
    free(model);
}

static size_t parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    (void)payload;
    const struct fedmf *model = context;
    out[0] = (struct frs_part){
        .name = "items", .n_rows = model->setup.population->n_items, .dim = model->settings.dim};
    return 1;
}

static struct frs_tables tables(const void *context) {
    const struct fedmf *model = context;
    return (struct frs_tables){.part = {model->items}};
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct fedmf *model = context;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->setup, training, model->users, arena);
    local.mf.rows = local.columns;
    local.mf.train_dim = local.mf.dim;
    frs_mf_local_train(&local, &model->settings, &model->setup, arena, out);
}

static void commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct fedmf *model = context;
    memcpy(model->users + client * model->settings.dim, private_state, private_bytes);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct fedmf *model = context;
    struct frs_rows change = frs_aggregate_changes(contributions, n, 0, model->weighting, arena);
    frs_rows_add_to(&change, model->items);
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct fedmf *model = context;
    size_t dim = model->settings.dim;
    frs_mf_score(model->users + client * dim, held->part[0], dim, items, n, scores);
}

const struct frs_learner frs_learner_fedmf = {
    .plugin = {.name = "fedmf",
        .summary = "federated matrix factorisation, the whole item table both ways",
        .source = "Chai et al. 2021 with FedAvg; defaults of PFedCLR's table 1",
        .params = params},
    .create = create,
    .destroy = destroy,
    .parts = parts,
    .tables = tables,
    .train = train,
    .commit = commit,
    .aggregate = aggregate,
    .score = score,
};
