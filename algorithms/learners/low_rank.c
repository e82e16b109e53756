#include "algorithms/kernels/columns.h"
#include "algorithms/learners/low_rank.h"
#include "algorithms/kernels/orthonormal.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *const frs_low_rank_variant_names[] = {
    [FRS_LOW_RANK_PAPER] = "paper", [FRS_LOW_RANK_CODE] = "published_code", NULL};

bool frs_low_rank_init(struct frs_low_rank *model, const struct frs_values *values,
    const struct frs_learner_setup *setup, struct frs_errors *errors) {
    const struct frs_population *population = setup->population;
    struct frs_mf_settings settings = frs_mf_settings_read(values);
    size_t rank = (size_t)frs_values_int(values, "rank");
    if (rank > settings.dim) {
        frs_values_error(
            values, "rank", errors, "%zu is larger than dim (%zu); allowed: at most dim", rank, settings.dim);
        return false;
    }
    *model = (struct frs_low_rank){.settings = settings,
        .variant = (enum frs_low_rank_variant)frs_values_choice(values, "variant"),
        .rank = rank,
        .setup = *setup};
    if (model->variant == FRS_LOW_RANK_CODE)
        model->settings.local.gradient_scale = (float)sqrt((double)rank / (double)settings.dim);
    model->projection = frs_alloc(settings.dim * rank, sizeof *model->projection);
    model->items = frs_mf_init_items(&settings, population->n_items, population->seed);
    if (!setup->timing_only)
        model->users = frs_mf_init_users(&settings, population->n_clients, population->seed);
    return true;
}

void frs_low_rank_fini(struct frs_low_rank *model) {
    free(model->items);
    free(model->users);
    free(model->projection);
}

size_t frs_low_rank_private_values(const void *context) {
    return ((const struct frs_low_rank *)context)->settings.dim;
}

struct frs_tables frs_low_rank_tables(const void *context) {
    const struct frs_low_rank *model = context;
    return (struct frs_tables){.part = {model->items}};
}

/* A function of the seed alone. */
static void draw_projection(const struct frs_low_rank *model, uint64_t seed, float *b) {
    size_t dim = model->settings.dim, rank = model->rank;
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_PROJECTION);
    if (model->variant == FRS_LOW_RANK_PAPER) {
        frs_rng_fill_normal(&rng, b, dim * rank, 1 / sqrt((double)rank));
        return;
    }
    frs_rng_fill_normal(&rng, b, dim * rank, 1);
    frs_orthonormalise(b, dim, rank);
    for (size_t i = 0; i < dim * rank; i++)
        b[i] *= (float)sqrt((double)dim / (double)rank);
}

/* The seed of B^(t); B itself is drawn once here instead of by every client of the round. */
uint64_t frs_low_rank_word(void *context, uint32_t round) {
    struct frs_low_rank *model = context;
    struct frs_rng rng =
        frs_rng_stream(model->setup.population->seed, FRS_RNG_SERVER, round, 0, FRS_RNG_PROJECTION);
    model->projection_seed = frs_rng_u64(&rng);
    draw_projection(model, model->projection_seed, model->projection);
    return model->projection_seed;
}

const float *frs_low_rank_projection(
    const struct frs_low_rank *model, uint64_t seed, struct frs_arena *arena) {
    if (seed == model->projection_seed)
        return model->projection;
    float *b = frs_arena_take(arena, model->settings.dim * model->rank, sizeof *b);
    draw_projection(model, seed, b);
    return b;
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

/* Q ← Q + (B A)ᵀ on the rows of A that are present. */
void frs_low_rank_apply(const void *context, const struct frs_tables *held, uint64_t seed,
    const struct frs_rows *update, struct frs_arena *arena) {
    const struct frs_low_rank *model = context;
    size_t dim = model->settings.dim, rank = model->rank;
    const float *b = frs_low_rank_projection(model, seed, arena);
    for (size_t i = 0; i < update->n; i++) {
        const float *a = update->values + i * rank;
        float *row = held->part[0] + (update->ids ? update->ids[i] : i) * dim;
        for (size_t k = 0; k < dim; k++) {
            float sum = 0;
            for (size_t j = 0; j < rank; j++)
                sum += b[k * rank + j] * a[j];
            row[k] += sum;
        }
    }
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
