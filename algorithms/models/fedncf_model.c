#include "algorithms/models/fedncf_model.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/models/layers.h"
#include "sim/base/numbers/rng.h"

#include <string.h>

const char *const frs_fedncf_start_names[] = {
    [FRS_START_UNIFORM] = "uniform", [FRS_START_XAVIER] = "xavier", NULL};

bool frs_fedncf_read(struct frs_fedncf *model, const struct frs_values *values, struct frs_errors *errors) {
    model->settings = frs_mf_settings_read(values);
    if (frs_layers_read(values, "layers", model->settings.dim, &model->shape, errors) != FRS_OK)
        return false;
    double rate = frs_values_real(values, "network_learning_rate");
    model->network_rate = rate < 0 ? model->settings.local.item_rate : (float)rate;
    return true;
}

void frs_fedncf_declare(struct frs_fedncf *model, const struct frs_values *values, struct frs_table items) {
    const struct frs_population *population = model->base.setup.population;
    enum frs_perceptron_start start = (enum frs_perceptron_start)frs_values_choice(values, "network_init");
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 1, 0, FRS_RNG_INIT);
    model->items = frs_model_table(&model->base, items);
    model->network = frs_model_table(&model->base, (struct frs_table){.name = "network",
                                                       .rows = 1,
                                                       .dim = frs_perceptron_parameters(&model->shape),
                                                       .undivided = true});
    frs_perceptron_init(&model->shape, start, &rng, model->network);
    model->users = frs_model_table(&model->base, frs_mf_users(&model->settings));
}

void *frs_fedncf_create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_fedncf *model = frs_model_create(sizeof *model, setup);
    if (!frs_fedncf_read(model, values, errors)) {
        frs_model_destroy(model);
        return NULL;
    }
    model->base.weighting = frs_weighting_read(values);
    frs_fedncf_declare(model, values, frs_mf_items(&model->settings, setup->population->n_items));
    return model;
}

void frs_fedncf_train_low_rank(const struct frs_fedncf *model, const struct frs_training *training,
    const float *project, size_t rank, struct frs_arena *arena, struct frs_trained *out) {
    size_t dim = model->settings.dim, n_parameters = frs_perceptron_parameters(&model->shape);
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->base.setup, training, model->users, arena);
    struct frs_perceptron perceptron = {.shape = model->shape,
        .n_rows = local.mf.n_rows,
        .rows = frs_mf_local_rows(&local, arena),
        .p = local.mf.p,
        .network = frs_arena_take(arena, n_parameters, sizeof(float)),
        .network_rate = model->network_rate * local.rate_scale};
    memcpy(perceptron.network, training->tables->part[1], n_parameters * sizeof(float));
    if (project) {
        perceptron.factors =
            frs_arena_take_zeroed(arena, frs_lanes_pad(rank * local.mf.n_rows), sizeof(float));
        perceptron.project = project;
        perceptron.rank = rank;
    }
    struct frs_bce_mf_settings limited = model->settings.local;
    limited.limit = training->epochs;
    limited.item_rate *= local.rate_scale;
    limited.user_rate *= local.rate_scale;
    struct frs_bce_mf_result result =
        frs_perceptron_train(&perceptron, &local.samples, &limited, &local.shuffle, arena);
    *out = (struct frs_trained){
        .upload = {{.n_rows = model->base.setup.population->n_items,
                       .dim = project ? rank : dim,
                       .n = perceptron.n_rows,
                       .ids = local.samples.ids,
                       .values = project ? perceptron.factors
                                         : frs_mf_local_packed(&local, perceptron.rows, arena)},
            {.n_rows = 1, .dim = n_parameters, .n = 1, .values = perceptron.network}},
        .kept = {.rows = {perceptron.p}},
        .samples = (uint32_t)local.samples.n,
        .flop = result.flop,
        .processed = (double)result.samples,
        .loss = result.loss,
        .epochs = (uint32_t)result.epochs,
    };
}

void frs_fedncf_train(const void *model, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    frs_fedncf_train_low_rank(model, training, NULL, 0, arena, out);
}

/* Only items can be averaged per item; all clients share the perceptron. */
void frs_fedncf_average(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *change) {
    struct frs_fedncf *model = context;
    for (size_t part = 0; part < 2; part++)
        change[part] = frs_model_mean(
            &model->base, contributions, n, part, frs_model_weighting(&model->base, part), arena);
}

void frs_fedncf_score(const void *context, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    const struct frs_fedncf *model = context;
    frs_perceptron_score(&model->shape, held->part[1], model->users + client * model->settings.dim,
        held->part[0], items, n, scores);
}
