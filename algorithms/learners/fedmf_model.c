#include "algorithms/learners/fedmf_model.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

void *frs_fedmf_create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct frs_fedmf *model = frs_alloc(1, sizeof *model);
    model->settings = frs_mf_settings_read(values);
    if (!setup->weighted)
        model->weighting = (enum frs_weighting)frs_values_choice(values, "aggregation");
    model->setup = *setup;
    const struct frs_population *population = setup->population;
    model->items = frs_mf_init_items(&model->settings, population->n_items, population->seed);
    if (!setup->timing_only)
        model->users = frs_mf_init_users(&model->settings, population->n_clients, population->seed);
    return model;
}

void frs_fedmf_destroy(void *context) {
    struct frs_fedmf *model = context;
    free(model->items);
    free(model->users);
    free(model);
}

size_t frs_fedmf_parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    (void)payload;
    const struct frs_fedmf *model = context;
    out[0] = (struct frs_part){
        .name = "items", .n_rows = model->setup.population->n_items, .dim = model->settings.dim};
    return 1;
}

size_t frs_fedmf_private_values(const void *context) {
    return ((const struct frs_fedmf *)context)->settings.dim;
}

struct frs_tables frs_fedmf_tables(const void *context) {
    const struct frs_fedmf *model = context;
    return (struct frs_tables){.part = {model->items}};
}

void frs_fedmf_train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_fedmf *model = context;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->setup, training, model->users, arena);
    local.mf.rows = frs_mf_local_rows(&local, arena);
    frs_mf_local_train(&local, &model->settings, &model->setup, arena, out);
}

void frs_fedmf_commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct frs_fedmf *model = context;
    memcpy(model->users + client * model->settings.dim, private_state, private_bytes);
}

void frs_fedmf_archive(void *context, struct frs_archive *archive) {
    struct frs_fedmf *model = context;
    const struct frs_population *population = model->setup.population;
    size_t dim = model->settings.dim;
    frs_archive_bytes(archive, model->items, population->n_items * dim * sizeof *model->items);
    frs_archive_bytes(archive, model->users, population->n_clients * dim * sizeof *model->users);
}

void frs_fedmf_score(const void *context, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    const struct frs_fedmf *model = context;
    size_t dim = model->settings.dim;
    frs_mf_score(model->users + client * dim, held->part[0], dim, items, n, scores);
}
