#include "algorithms/models/low_rank.h"
#include "algorithms/kernels/columns.h"

void *frs_low_rank_begin(size_t bytes, const struct frs_values *values, const struct frs_learner_setup *setup,
    struct frs_errors *errors) {
    struct frs_low_rank *model = frs_model_create(bytes, setup);
    struct frs_mf_model *mf = &model->mf;
    mf->settings = frs_mf_settings_read(values);
    if (!frs_projection_init(&model->projection, &mf->base, values, mf->settings.dim, errors)) {
        frs_model_destroy(model);
        return NULL;
    }
    frs_projection_train_by(&model->projection, &mf->settings.local);
    struct frs_table items = frs_mf_items(&mf->settings, setup->population->n_items);
    mf->items = frs_model_table(&mf->base, frs_projected(items, &model->projection));
    mf->users = frs_model_table(&mf->base, frs_mf_users(&mf->settings));
    return model;
}

uint64_t frs_low_rank_round_seed(void *context, uint32_t round) {
    struct frs_low_rank *model = context;
    return frs_projection_open(&model->projection, model->mf.base.setup.population->seed, round);
}

void frs_low_rank_train(const struct frs_low_rank *model, const struct frs_training *training,
    const float *projection, size_t rank, struct frs_arena *arena, struct frs_trained *out) {
    const struct frs_mf_model *mf = &model->mf;
    struct frs_mf_local local =
        frs_mf_local_begin(&mf->settings, &mf->base.setup, training, mf->users, arena);
    frs_mf_local_freeze(&local, arena);
    local.mf.rank = rank;
    local.mf.stride = frs_lanes_pad(local.mf.n_rows);
    local.mf.project = projection;
    local.mf.factors = frs_arena_take_zeroed(arena, rank * local.mf.stride, sizeof(float));
    frs_mf_local_train(&local, &mf->settings, &mf->base.setup, arena, out);
}

void frs_low_rank_apply(const void *context, const struct frs_tables *held, uint64_t seed,
    const struct frs_rows *update, struct frs_arena *arena) {
    const struct frs_low_rank *model = context;
    frs_projection_apply(&model->projection, seed, update, held->part[0], arena);
}

double frs_low_rank_apply_flop(const void *context) {
    const struct frs_low_rank *model = context;
    return frs_projection_apply_flop(&model->projection, model->mf.base.setup.population->n_items);
}
