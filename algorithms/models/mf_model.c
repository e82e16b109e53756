#include "algorithms/models/mf_model.h"

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
    model->base.weighting = frs_weighting_read(values, setup);
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
    frs_mf_products(model->users + client * dim, held->part[0], dim, items, n, scores);
}
