/* CoLR: correlated low-rank updates (Nguyen et al. 2024, algorithm 1; algorithms.md, section 3).
 *
 * ΔQ_u = (B A_u)ᵀ with B [dim × rank] drawn anew every round from a seed everybody shares and frozen, A_u
 * [rank × n_items] trained from zero together with p_u. A client uploads A_u; the server averages A and sends
 * it down; whoever receives it adds (B A)ᵀ to its table. A travels item by item, [n_items × rank].
 *
 * variant = paper: entries of B are N(0, 1/rank), plain gradient, N_u/N with N summed over the cohort (eq. 2;
 * the definition of N over all users in the paper's section 3.1 would shrink every step about a hundredfold).
 * variant = published_code: B is orthonormal times √(dim/rank), the gradient of A is scaled by √(rank/dim),
 * and A is averaged per item over the clients that touched it. */
#include "algorithms/aggregation.h"
#include "algorithms/kernels/orthonormal.h"
#include "algorithms/learner.h"
#include "algorithms/learners/catchup_params.h"
#include "algorithms/learners/mf_local.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum variant { PAPER, PUBLISHED_CODE };

struct colr {
    struct frs_mf_settings settings;
    enum variant variant;
    enum frs_weighting weighting;
    size_t rank;
    struct frs_learner_setup setup;
    float *items;             /* Q [n_items × dim] */
    float *users;             /* p [n_clients × dim]; NULL when only timing is asked for */
    uint64_t projection_seed; /* of the open round */
    float *projection;        /* its B [dim × rank] */
};

static const char *const variant_names[] = {[PAPER] = "paper", [PUBLISHED_CODE] = "published_code", NULL};

/* `variant` decides unless the user says otherwise. */
static const char *const weighting_names[] = {"by_variant", "data_size", "uniform", "per_item", NULL};

static const struct frs_param params[] = {
    {.key = "rank",
        .type = FRS_INT,
        .initial = "4",
        .min = 1,
        .max = 4096,
        .help = "rank r of the update; at most dim"},
    {.key = "variant",
        .type = FRS_CHOICE,
        .initial = "published_code",
        .choices = variant_names,
        .help = "paper: B ~ N(0, 1/r), weights N_u/N; published_code: orthonormal B, scaled gradient, "
                "per-item mean"},
    FRS_MF_PARAMS("64", "2", "sgd", "0.5", "row_mean", "5e-4", "0", "private"),
    {.key = "aggregation",
        .type = FRS_CHOICE,
        .initial = "by_variant",
        .choices = weighting_names,
        .help = "weight of an upload; by_variant: data_size for paper, per_item for published_code"},
    FRS_CATCHUP_PARAMS,
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_mf_settings settings = frs_mf_settings_read(values);
    size_t rank = (size_t)frs_values_int(values, "rank");
    if (rank > settings.dim) {
        frs_values_error(
            values, "rank", errors, "%zu is larger than dim (%zu); allowed: at most dim", rank, settings.dim);
        return NULL;
    }
    struct colr *model = frs_alloc(1, sizeof *model);
    model->settings = settings;
    model->rank = rank;
    model->setup = *setup;
    model->variant = (enum variant)frs_values_choice(values, "variant");
    size_t weighting = frs_values_choice(values, "aggregation");
    model->weighting = weighting > 0             ? (enum frs_weighting)(weighting - 1)
                       : model->variant == PAPER ? FRS_DATA_SIZE
                                                 : FRS_PER_ITEM;
    if (model->variant == PUBLISHED_CODE)
        model->settings.local.gradient_scale = (float)sqrt((double)rank / (double)settings.dim);
    model->projection = frs_alloc(settings.dim * rank, sizeof *model->projection);
    const struct frs_population *population = setup->population;
    model->items = frs_mf_init_items(&settings, population->n_items, population->seed);
    if (!setup->timing_only)
        model->users = frs_mf_init_users(&settings, population->n_clients, population->seed);
    return model;
}

static void destroy(void *context) {
    struct colr *model = context;
    free(model->items);
    free(model->users);
    free(model->projection);
    free(model);
}

static size_t parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    const struct colr *model = context;
    size_t n_items = model->setup.population->n_items;
    out[0] = payload == FRS_STATE
                 ? (struct frs_part){.name = "items", .n_rows = n_items, .dim = model->settings.dim}
                 : (struct frs_part){.name = "A", .n_rows = n_items, .dim = model->rank};
    return 1;
}

static struct frs_tables tables(const void *context) {
    const struct colr *model = context;
    return (struct frs_tables){.part = {model->items}};
}

/* B [dim × rank] row-major, a function of its seed alone. */
static void draw_projection(const struct colr *model, uint64_t seed, float *b) {
    size_t dim = model->settings.dim, rank = model->rank;
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_PROJECTION);
    if (model->variant == PAPER) {
        frs_rng_fill_normal(&rng, b, dim * rank, 1 / sqrt((double)rank));
        return;
    }
    frs_rng_fill_normal(&rng, b, dim * rank, 1);
    frs_orthonormalise(b, dim, rank);
    for (size_t i = 0; i < dim * rank; i++)
        b[i] *= (float)sqrt((double)dim / (double)rank);
}

/* The seed of B^(t); B itself is drawn once here instead of by every client of the round. */
static uint64_t word(void *context, uint32_t round) {
    struct colr *model = context;
    struct frs_rng rng =
        frs_rng_stream(model->setup.population->seed, FRS_RNG_SERVER, round, 0, FRS_RNG_PROJECTION);
    model->projection_seed = frs_rng_u64(&rng);
    draw_projection(model, model->projection_seed, model->projection);
    return model->projection_seed;
}

static const float *projection(const struct colr *model, uint64_t seed, struct frs_arena *arena) {
    if (seed == model->projection_seed)
        return model->projection;
    float *b = frs_arena_take(arena, model->settings.dim * model->rank, sizeof *b);
    draw_projection(model, seed, b);
    return b;
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct colr *model = context;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->setup, training, model->users, arena);
    local.mf.frozen = local.columns;
    local.mf.train_dim = model->rank;
    local.mf.project = projection(model, training->word, arena);
    local.mf.rows = frs_arena_take_zeroed(arena, model->rank * local.mf.stride, sizeof(float));
    frs_mf_local_train(&local, &model->settings, &model->setup, arena, out);
}

static void commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct colr *model = context;
    memcpy(model->users + client * model->settings.dim, private_state, private_bytes);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    const struct colr *model = context;
    update[0] = frs_aggregate_changes(contributions, n, 0, model->weighting, arena);
}

/* Q ← Q + (B A)ᵀ on the rows of A that are present. */
static void apply(const void *context, const struct frs_tables *held, uint64_t seed,
    const struct frs_rows *update, struct frs_arena *arena) {
    const struct colr *model = context;
    size_t dim = model->settings.dim, rank = model->rank;
    const float *b = projection(model, seed, arena);
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

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct colr *model = context;
    size_t dim = model->settings.dim;
    frs_mf_score(model->users + client * dim, held->part[0], dim, items, n, scores);
}

const struct frs_learner frs_learner_colr = {
    .plugin = {.name = "colr",
        .summary = "low-rank updates under a projection all clients share",
        .source = "Nguyen et al. 2024, algorithm 1",
        .params = params},
    .sends_updates = true,
    .uploads_updates = true,
    .create = create,
    .destroy = destroy,
    .parts = parts,
    .tables = tables,
    .word = word,
    .train = train,
    .commit = commit,
    .aggregate = aggregate,
    .apply = apply,
    .score = score,
};
