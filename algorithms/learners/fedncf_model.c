#include "algorithms/learners/fedncf_model.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/learners/layers.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *const frs_fedncf_start_names[] = {
    [FRS_START_UNIFORM] = "uniform", [FRS_START_XAVIER] = "xavier", NULL};

bool frs_fedncf_init(struct frs_fedncf *model, const struct frs_values *values,
    const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_mf_settings settings = frs_mf_settings_read(values);
    struct frs_perceptron_shape shape;
    if (frs_layers_read(values, "layers", settings.dim, &shape, errors) != FRS_OK)
        return false;
    double rate = frs_values_real(values, "network_learning_rate");
    *model = (struct frs_fedncf){.settings = settings,
        .shape = shape,
        .network_rate = rate < 0 ? settings.local.item_rate : (float)rate,
        .setup = *setup};
    const struct frs_population *population = setup->population;
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 1, 0, FRS_RNG_INIT);
    model->network = frs_alloc_aligned(frs_perceptron_parameters(&shape), sizeof *model->network);
    enum frs_perceptron_start start = (enum frs_perceptron_start)frs_values_choice(values, "network_init");
    frs_perceptron_init(&shape, start, &rng, model->network);
    model->items = frs_mf_init_items(&model->settings, population->n_items, population->seed);
    if (!setup->timing_only)
        model->users = frs_mf_init_users(&model->settings, population->n_clients, population->seed);
    return true;
}

void *frs_fedncf_create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_fedncf *model = frs_alloc(1, sizeof *model);
    if (!frs_fedncf_init(model, values, setup, errors)) {
        free(model);
        return NULL;
    }
    if (!setup->weighted)
        model->weighting = (enum frs_weighting)frs_values_choice(values, "aggregation");
    return model;
}

void frs_fedncf_fini(struct frs_fedncf *model) {
    free(model->items);
    free(model->network);
    free(model->users);
}

void frs_fedncf_destroy(void *model) {
    frs_fedncf_fini(model);
    free(model);
}

size_t frs_fedncf_parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    (void)payload;
    const struct frs_fedncf *model = context;
    out[0] = (struct frs_part){
        .name = "items", .n_rows = model->setup.population->n_items, .dim = model->settings.dim};
    out[1] =
        (struct frs_part){.name = "network", .n_rows = 1, .dim = frs_perceptron_parameters(&model->shape)};
    return 2;
}

/* The user vector. */
size_t frs_fedncf_private_values(const void *context) {
    const struct frs_fedncf *model = context;
    return model->settings.dim;
}

struct frs_tables frs_fedncf_tables(const void *context) {
    const struct frs_fedncf *model = context;
    return (struct frs_tables){.part = {model->items, model->network}};
}

void frs_fedncf_train_low_rank(const struct frs_fedncf *model, const struct frs_training *training,
    const float *project, size_t rank, struct frs_arena *arena, struct frs_trained *out) {
    size_t dim = model->settings.dim, n_parameters = frs_perceptron_parameters(&model->shape);
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->setup, training, model->users, arena);
    size_t stride = frs_lanes_pad(local.mf.n_rows);
    struct frs_perceptron perceptron = {.shape = model->shape,
        .n_rows = local.mf.n_rows,
        .stride = stride,
        .rows = frs_mf_local_columns(&local, stride, arena),
        .p = local.mf.p,
        .network = frs_arena_take(arena, n_parameters, sizeof(float)),
        .network_rate = model->network_rate};
    memcpy(perceptron.network, training->tables->part[1], n_parameters * sizeof(float));
    if (project) {
        perceptron.factors = frs_arena_take_zeroed(arena, rank * stride, sizeof(float));
        perceptron.project = project;
        perceptron.rank = rank;
    }
    struct frs_bce_mf_settings limited = model->settings.local;
    if (training->epochs > 0 && training->epochs < limited.epochs)
        limited.epochs = training->epochs;
    struct frs_bce_mf_result result =
        frs_perceptron_train(&perceptron, &local.samples, &limited, &local.shuffle, arena);
    size_t length = project ? rank : dim;
    float *rows = frs_arena_take(arena, perceptron.n_rows * length, sizeof *rows);
    frs_columns_scatter(
        project ? perceptron.factors : perceptron.rows, length, perceptron.n_rows, stride, rows);
    *out = (struct frs_trained){
        .upload = {{.n_rows = model->setup.population->n_items,
                       .dim = length,
                       .n = perceptron.n_rows,
                       .ids = local.samples.ids,
                       .values = rows},
            {.n_rows = 1, .dim = n_parameters, .n = 1, .values = perceptron.network}},
        .private_state = perceptron.p,
        .private_bytes = dim * sizeof(float),
        .samples = (uint32_t)local.samples.n,
        .flop = result.flop,
        .processed = (double)result.epochs * (double)local.samples.n,
        .loss = result.loss,
        .epochs = (uint32_t)result.epochs,
    };
}

void frs_fedncf_train(const void *model, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    frs_fedncf_train_low_rank(model, training, NULL, 0, arena, out);
}

void frs_fedncf_commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct frs_fedncf *model = context;
    memcpy(model->users + client * model->settings.dim, private_state, private_bytes);
}

/* Per item only items can be averaged; the perceptron is everybody's. */
void frs_fedncf_average(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *change) {
    const struct frs_fedncf *model = context;
    enum frs_weighting weighting = model->weighting == FRS_PER_ITEM ? FRS_UNIFORM : model->weighting;
    change[0] = frs_aggregate_changes(contributions, n, 0, model->weighting, arena);
    change[1] = frs_aggregate_changes(contributions, n, 1, weighting, arena);
}

void frs_fedncf_archive(void *context, struct frs_archive *archive) {
    struct frs_fedncf *model = context;
    const struct frs_population *population = model->setup.population;
    size_t dim = model->settings.dim;
    frs_archive_bytes(archive, model->items, population->n_items * dim * sizeof *model->items);
    frs_archive_bytes(
        archive, model->network, frs_perceptron_parameters(&model->shape) * sizeof *model->network);
    frs_archive_bytes(archive, model->users, population->n_clients * dim * sizeof *model->users);
}

void frs_fedncf_score(const void *context, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    const struct frs_fedncf *model = context;
    frs_perceptron_score(&model->shape, held->part[1], model->users + client * model->settings.dim,
        held->part[0], items, n, scores);
}
