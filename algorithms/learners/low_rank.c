#include "algorithms/kernels/columns.h"
#include "algorithms/learners/low_rank.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

bool frs_low_rank_init(struct frs_low_rank *model, const struct frs_values *values,
    const struct frs_learner_setup *setup, struct frs_errors *errors) {
    const struct frs_population *population = setup->population;
    *model = (struct frs_low_rank){.settings = frs_mf_settings_read(values), .setup = *setup};
    if (!frs_projection_init(&model->projection, values, model->settings.dim, errors))
        return false;
    model->settings.local.gradient_scale = frs_projection_gradient_scale(&model->projection);
    model->items = frs_mf_init_items(&model->settings, population->n_items, population->seed);
    if (!setup->timing_only)
        model->users = frs_mf_init_users(&model->settings, population->n_clients, population->seed);
    return true;
}

void frs_low_rank_fini(struct frs_low_rank *model) {
    free(model->items);
    free(model->users);
    frs_projection_fini(&model->projection);
}

size_t frs_low_rank_private_values(const void *context) {
    return ((const struct frs_low_rank *)context)->settings.dim;
}

struct frs_tables frs_low_rank_tables(const void *context) {
    const struct frs_low_rank *model = context;
    return (struct frs_tables){.part = {model->items}};
}

uint64_t frs_low_rank_word(void *context, uint32_t round) {
    struct frs_low_rank *model = context;
    return frs_projection_open(&model->projection, model->setup.population->seed, round);
}

void frs_low_rank_train(const struct frs_low_rank *model, const struct frs_training *training,
    const float *projection, size_t rank, struct frs_arena *arena, struct frs_trained *out) {
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->setup, training, model->users, arena);
    local.mf.frozen = frs_mf_local_rows(&local, arena);
    local.mf.rank = rank;
    local.mf.stride = frs_lanes_pad(local.mf.n_rows);
    local.mf.project = projection;
    local.mf.factors = frs_arena_take_zeroed(arena, rank * local.mf.stride, sizeof(float));
    frs_mf_local_train(&local, &model->settings, &model->setup, arena, out);
}

void frs_low_rank_commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct frs_low_rank *model = context;
    memcpy(model->users + client * model->settings.dim, private_state, private_bytes);
}

void frs_low_rank_apply(const void *context, const struct frs_tables *held, uint64_t seed,
    const struct frs_rows *update, struct frs_arena *arena) {
    const struct frs_low_rank *model = context;
    frs_projection_apply(&model->projection, seed, update, held->part[0], arena);
}

void frs_low_rank_archive(void *context, struct frs_archive *archive) {
    struct frs_low_rank *model = context;
    const struct frs_population *population = model->setup.population;
    size_t dim = model->settings.dim;
    frs_archive_bytes(archive, model->items, population->n_items * dim * sizeof *model->items);
    frs_archive_bytes(archive, model->users, population->n_clients * dim * sizeof *model->users);
}

void frs_low_rank_score(const void *context, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    const struct frs_low_rank *model = context;
    size_t dim = model->settings.dim;
    frs_mf_score(model->users + client * dim, held->part[0], dim, items, n, scores);
}
