#include "algorithms/models/mf_model.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/products.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <stdint.h>
#include <string.h>

const char *const frs_optimiser_names[] = {[FRS_SGD] = "sgd", [FRS_ADAM] = "adam", NULL};
const char *const frs_scaling_names[] = {
    [FRS_ROW_MEAN] = "row_mean", [FRS_BATCH_MEAN] = "batch_mean", [FRS_SUM] = "sum", NULL};
const char *const frs_user_init_names[] = {
    [FRS_USERS_SHARED] = "shared", [FRS_USERS_PRIVATE] = "private", NULL};

struct frs_mf_settings frs_mf_settings_read(const struct frs_values *values) {
    struct frs_mf_settings s = {.dim = (size_t)frs_values_int(values, "dim")};
    double user_rate = frs_values_real(values, "user_learning_rate"),
           user_sd = frs_values_real(values, "user_init_sd");
    s.init_sd = frs_init_sd(values, s.dim);
    s.user_init_sd = user_sd < 0 ? s.init_sd : user_sd;
    s.shared_user_init = frs_values_choice(values, "user_init") == FRS_USERS_SHARED;
    s.local = (struct frs_bce_mf_settings){
        .batch = (size_t)frs_values_int(values, "batch"),
        .optimiser = (enum frs_optimiser)frs_values_choice(values, "optimiser"),
        .item_rate = (float)frs_values_real(values, "learning_rate"),
        .weight_decay = (float)frs_values_real(values, "weight_decay"),
        .gradient_scale = 1,
        .early_stop = (float)frs_values_real(values, "early_stop"),
    };
    frs_epochs_read(values, &s.local.epochs, &s.local.steps);
    s.local.user_rate = user_rate < 0 ? s.local.item_rate : (float)user_rate;
    if (s.local.optimiser == FRS_SGD)
        s.local.scaling = (enum frs_sgd_scaling)frs_values_choice(values, "sgd_scaling");
    return s;
}

struct frs_table frs_mf_items(const struct frs_mf_settings *settings, size_t n_items) {
    return (struct frs_table){.name = "items",
        .owner = FRS_OF_ALL,
        .rows = n_items,
        .dim = settings->dim,
        .start = FRS_NORMAL,
        .sd = settings->init_sd};
}

struct frs_table frs_mf_users(const struct frs_mf_settings *settings) {
    return (struct frs_table){.name = "users",
        .owner = FRS_OF_CLIENTS,
        .dim = settings->dim,
        .start = FRS_NORMAL,
        .sd = settings->user_init_sd,
        .alike = settings->shared_user_init};
}

struct frs_mf_local frs_mf_local_begin(const struct frs_mf_settings *settings,
    const struct frs_learner_setup *setup, const struct frs_training *training, const float *users,
    struct frs_arena *arena) {
    const struct frs_population *population = setup->population;
    uint32_t client = training->data->client, round = training->round, attempt = training->attempt;
    size_t dim = settings->dim;
    struct frs_rng negatives = frs_rng_stream(population->seed, client, round, attempt, FRS_RNG_NEGATIVES);
    struct frs_mf_local local = {
        .samples = frs_samples_draw(
            training->data, population->n_items, setup->negatives_per_positive, &negatives, arena),
        .shuffle = frs_rng_stream(population->seed, client, round, attempt, FRS_RNG_SHUFFLE),
        .epochs = training->epochs,
        .rate_scale = frs_training_rate_scale(training),
    };
    local.table = training->tables->part[0];
    local.mf = (struct frs_bce_mf){.dim = dim, .n_rows = local.samples.n_rows};
    local.mf.p = frs_arena_take_zeroed(arena, frs_lanes_pad(dim), sizeof(float));
    memcpy(local.mf.p, users + client * dim, dim * sizeof(float));
    return local;
}

float *frs_mf_local_rows(const struct frs_mf_local *local, struct frs_arena *arena) {
    float *rows = frs_arena_take(arena, local->mf.n_rows * frs_lanes_pad(local->mf.dim), sizeof *rows);
    frs_rows_gather(local->table, local->mf.dim, local->samples.ids, local->mf.n_rows, rows);
    return rows;
}

void frs_mf_local_freeze(struct frs_mf_local *local, struct frs_arena *arena) {
    struct frs_bce_mf *mf = &local->mf;
    bool fits = frs_lanes_pad(mf->dim) == mf->dim && (uintptr_t)local->table % 64 == 0;
    mf->frozen = fits ? local->table : frs_mf_local_rows(local, arena);
    mf->frozen_ids = fits ? local->samples.ids : NULL;
}

const float *frs_mf_local_packed(
    const struct frs_mf_local *local, const float *rows, struct frs_arena *arena) {
    size_t dim = local->mf.dim, pitch = frs_lanes_pad(dim);
    if (dim == pitch)
        return rows;
    float *packed = frs_arena_take(arena, local->mf.n_rows * dim, sizeof *packed);
    for (size_t i = 0; i < local->mf.n_rows; i++)
        memcpy(packed + i * dim, rows + i * pitch, dim * sizeof *packed);
    return packed;
}

/* The trained rows as they are uploaded, [n_rows × dim] or [n_rows × rank]. */
static const float *trained_rows(const struct frs_mf_local *local, struct frs_arena *arena) {
    const struct frs_bce_mf *mf = &local->mf;
    if (!mf->factors)
        return frs_mf_local_packed(local, mf->rows, arena);
    float *rows = frs_arena_take(arena, mf->n_rows * mf->rank, sizeof *rows);
    frs_columns_scatter(mf->factors, mf->rank, mf->n_rows, mf->stride, rows);
    return rows;
}

void frs_mf_local_train(struct frs_mf_local *local, const struct frs_mf_settings *settings,
    const struct frs_learner_setup *setup, struct frs_arena *arena, struct frs_trained *out) {
    struct frs_bce_mf *mf = &local->mf;
    struct frs_bce_mf_settings limited = settings->local;
    limited.limit = local->epochs;
    limited.item_rate *= local->rate_scale;
    limited.user_rate *= local->rate_scale;
    struct frs_bce_mf_result result = frs_bce_mf_train(mf, &local->samples, &limited, &local->shuffle, arena);
    *out = (struct frs_trained){
        .upload = {{.n_rows = setup->population->n_items,
            .dim = mf->factors ? mf->rank : mf->dim,
            .n = mf->n_rows,
            .ids = local->samples.ids,
            .values = trained_rows(local, arena)}},
        .upload_checked = true,
        .kept = {.rows = {mf->p}},
        .samples = (uint32_t)local->samples.n,
        .flop = result.flop,
        .processed = (double)result.samples,
        .loss = result.loss,
        .epochs = (uint32_t)result.epochs,
    };
}

/* ---- a model --------------------------------------------------------------------------------- */

void *frs_mf_begin(size_t bytes, const struct frs_values *values, const struct frs_learner_setup *setup) {
    struct frs_mf_model *model = frs_model_create(bytes, setup);
    model->settings = frs_mf_settings_read(values);
    model->items = frs_model_table(&model->base, frs_mf_items(&model->settings, setup->population->n_items));
    model->users = frs_model_table(&model->base, frs_mf_users(&model->settings));
    return model;
}

void *frs_mf_create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct frs_mf_model *model = frs_mf_begin(sizeof *model, values, setup);
    model->base.weighting = frs_weighting_read(values);
    return model;
}

void frs_mf_train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_mf_model *model = context;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->base.setup, training, model->users, arena);
    local.mf.rows = frs_mf_local_rows(&local, arena);
    if (model->settings.local.proximal > 0)
        local.mf.received = frs_mf_local_rows(&local, arena);
    frs_mf_local_train(&local, &model->settings, &model->base.setup, arena, out);
}

void frs_mf_score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct frs_mf_model *model = context;
    size_t dim = model->settings.dim;
    frs_table_products(model->users + client * dim, dim, held->part[0], items, n, 0, scores);
}
