/* SCoLR: CoLR with a server rank and smaller client ranks (Nguyen et al. 2024, section 4.4 and algorithm
 * 2).
 *
 * ΔQ_u = (B S_u A_u)ᵀ: S_u selects r_u of the rank (r_g) columns of B by a random permutation, drawn per
 * client and round. Upload: A_u, r_u values an item. Download: A, r_g values an item.
 *
 * The columns need no bytes of their own. The permutation is drawn from the seed of B (the round seed in
 * the header of every message, 8 bytes that are counted) and the client's id (also in the header). The
 * server itself has assigned r_u, which is in the header of the download. The paper calls the upload of
 * S_u harmless, because it says nothing about the user.
 *
 * The paper prints A = Σ_u N_u/N · S_u A_u and leaves open how to average columns that few clients chose:
 *   sum      ÷ the clients that touched the item (default); a column counts the less the fewer chose it
 *   per_row  ÷ the clients that touched the item and chose the column
 *   literal  N_u/N as printed, N summed over the cohort
 *   uniform  ÷ the uploads of the aggregation, whatever they touched (FedBuff's mean) */
#include "algorithms/aggregation.h"
#include "algorithms/downlink/catchup_params.h"
#include "algorithms/models/low_rank.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>

enum aggregation { SUM, PER_ROW, LITERAL, UNIFORM };

struct scolr {
    struct frs_low_rank low_rank; /* of r_g columns */
    enum aggregation aggregation;
};

static const char *const aggregation_names[] = {
    [SUM] = "sum", [PER_ROW] = "per_row", [LITERAL] = "literal", [UNIFORM] = "uniform", NULL};

static const struct frs_param params[] = {
    FRS_LOW_RANK_PARAMS("16", "rank r_g of what the server sends; at most dim (clients' own: adaptation)",
        "paper: B ~ N(0, 1/r_g), A and p decay; published_code: orthonormal B, scaled gradient, weight_decay "
        "times |q + B a|^2 + |p|^2 added to the loss (CoLR's code; there is none of SCoLR)"),
    {.key = "aggregation",
        .type = FRS_CHOICE,
        .initial = "sum",
        .choices = aggregation_names,
        .help = "divisor of a value: sum, the clients that touched the item; per_row, those that also chose "
                "the column; literal, weights N_u/N; uniform, all uploads"},
    FRS_CATCHUP_PARAMS,
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct scolr *model = frs_low_rank_begin(sizeof *model, values, setup, errors);
    if (model)
        model->aggregation = (enum aggregation)frs_values_choice(values, "aggregation");
    return model;
}

static enum frs_weighting weighting_of(const struct scolr *model) {
    switch (model->aggregation) {
    case LITERAL:
        return FRS_DATA_SIZE;
    case UNIFORM:
        return FRS_UNIFORM;
    case SUM:
    case PER_ROW:
        break;
    }
    return FRS_PER_ITEM;
}

static struct frs_budgets range(const void *context) {
    const struct frs_low_rank *model = context;
    return (struct frs_budgets){.min = 1, .max = (uint32_t)model->projection.rank, .unit = "columns"};
}

static size_t upload_parts(const void *context, uint32_t rank, struct frs_part *out) {
    const struct frs_low_rank *model = context;
    out[0] = (struct frs_part){.name = "A", .n_rows = model->mf.base.setup.population->n_items, .dim = rank};
    return 1;
}

/* Passes over its samples of a client with as many as clients have on average. */
static double mean_passes(const struct frs_low_rank *model) {
    const struct frs_bce_mf_settings *local = &model->mf.settings.local;
    const struct frs_learner_setup *setup = &model->mf.base.setup;
    double samples = 0;
    if (local->steps == 0)
        return local->epochs;
    for (uint32_t u = 0; u < setup->population->n_clients; u++)
        samples += (double)setup->population->clients[u].n * (1 + (double)setup->negatives_per_positive);
    size_t n = (size_t)ceil(samples / setup->population->n_clients);
    struct frs_extent extent = frs_bce_mf_extent(local, n);
    return n > 0 ? (double)frs_extent_samples(extent, extent.passes, n) / (double)n : 1;
}

/* Operations per sample: two scores and two gradients in dim, four passes and two steps in the rank
 * (bce_mf.h). Decay of whole rows adds one step, and once in a participation the row's projection. */
static double work(const void *context, uint32_t rank) {
    const struct frs_low_rank *model = context;
    const struct frs_bce_mf_settings *local = &model->mf.settings.local;
    double dim = (double)model->mf.settings.dim, columns = (double)rank;
    double whole = local->whole_decay > 0 && local->weight_decay > 0
                       ? 2 * columns + 2 * dim * columns / mean_passes(model)
                       : 0;
    return 4 * dim + 8 * columns + 6 + whole;
}

static const struct frs_learner_budgets budgets = {
    .range = range, .upload_parts = upload_parts, .work = work};

/* S_u: the columns that a client trains, `rank` of them. Their order has no meaning; they ascend, so that
 * an update of all columns is CoLR's. */
static const uint32_t *columns(
    const struct frs_low_rank *model, uint64_t seed, uint32_t client, size_t rank, struct frs_arena *arena) {
    struct frs_rng rng = frs_rng_stream(seed, client, 0, 0, FRS_RNG_COLUMNS);
    uint32_t *chosen = frs_arena_take(arena, rank, sizeof *chosen);
    frs_rng_sample(&rng, (uint32_t)model->projection.rank, (uint32_t)rank, chosen);
    qsort(chosen, rank, sizeof *chosen, frs_compare_uint32s);
    return chosen;
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_low_rank *model = context;
    size_t dim = model->mf.settings.dim, rank = training->budget;
    const float *b = frs_projection_of(&model->projection, training->round_seed, arena);
    const uint32_t *chosen = columns(model, training->round_seed, training->data->client, rank, arena);
    float *own = frs_arena_take(arena, dim * rank, sizeof *own);
    for (size_t k = 0; k < dim; k++)
        for (size_t j = 0; j < rank; j++)
            own[k * rank + j] = b[k * model->projection.rank + chosen[j]];
    frs_low_rank_train(model, training, own, rank, arena, out);
}

/* Puts A_u at its places among the columns of B, [n × r_g]; `marks` is the same with 1 for every value.
 * The values of a client that trained all columns are already in place. */
static void spread(const struct frs_low_rank *model, const struct frs_contribution *from,
    struct frs_arena *arena, struct frs_contribution *placed, struct frs_contribution *marks) {
    const struct frs_rows *rows = &from->parts[0];
    size_t rank = rows->dim;
    *placed = *from;
    if (rank == model->projection.rank && !marks)
        return;
    const uint32_t *chosen = columns(model, from->round_seed, from->client, rank, arena);
    float *values = frs_arena_take_zeroed(arena, rows->n * model->projection.rank, sizeof *values);
    float *ones = frs_arena_take_zeroed(arena, marks ? rows->n * model->projection.rank : 0, sizeof *ones);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t j = 0; j < rank; j++) {
            values[i * model->projection.rank + chosen[j]] = rows->values[i * rank + j];
            if (marks)
                ones[i * model->projection.rank + chosen[j]] = 1;
        }
    placed->parts[0].dim = model->projection.rank;
    placed->parts[0].values = values;
    if (marks) {
        *marks = *placed;
        marks->staleness_scale = 0; /* a stale client has chosen its columns all the same */
        marks->parts[0].values = ones;
    }
}

/* A_u and its marks as parts 0 and 1. */
static void gather(void *context, const struct frs_contribution *contributions, size_t n) {
    struct scolr *model = context;
    bool per_row = model->aggregation == PER_ROW;
    struct frs_row_sums *sums = model->low_rank.mf.base.gathered;
    struct frs_arena arena = {0};
    for (size_t part = 0; part < 1 + (size_t)per_row; part++)
        if (!sums[part].sums)
            frs_row_sums_init(&sums[part], contributions[0].parts[0].n_rows, model->low_rank.projection.rank);
    for (size_t c = 0; c < n; c++) {
        struct frs_contribution placed, marks;
        frs_arena_reset(&arena);
        spread(&model->low_rank, &contributions[c], &arena, &placed, per_row ? &marks : NULL);
        frs_row_sums_add(&sums[0], &placed, 0, weighting_of(model), 1);
        if (per_row)
            frs_row_sums_add(&sums[1], &marks, 0, FRS_PER_ITEM, 1);
    }
    frs_arena_fini(&arena);
}

/* Per item and column the mean of the marks is the share of the item's clients that chose the column. */
static void take_gathered(struct scolr *model, struct frs_arena *arena, struct frs_rows *update) {
    struct frs_row_sums *sums = model->low_rank.mf.base.gathered;
    bool by_senders = weighting_of(model) == FRS_PER_ITEM;
    *update = frs_row_sums_take(&sums[0], by_senders ? FRS_BY_SENDERS : sums[0].total, arena);
    if (model->aggregation != PER_ROW)
        return;
    struct frs_rows share = frs_row_sums_take(&sums[1], FRS_BY_SENDERS, arena);
    *update = frs_rows_divided(update, &share, arena);
}

/* Columns belong to a round seed: only who trained under it can have chosen one of them. */
static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct scolr *model = context;
    bool per_row = model->aggregation == PER_ROW;
    struct frs_pool *pool = model->low_rank.mf.base.pool;
    if (!contributions) {
        take_gathered(model, arena, &update[0]);
        return;
    }
    struct frs_contribution *placed = frs_arena_take(arena, n, sizeof *placed);
    struct frs_contribution *marks = frs_arena_take(arena, n, sizeof *marks);
    size_t n_marks = 0;
    for (size_t c = 0; c < n; c++)
        spread(&model->low_rank, &contributions[c], arena, &placed[c],
            per_row && !contributions[c].apart ? &marks[n_marks++] : NULL);
    update[0] = frs_aggregate_changes(placed, n, 0, weighting_of(model), pool, arena);
    if (!per_row)
        return;
    struct frs_rows share = frs_aggregate_changes(marks, n_marks, 0, FRS_PER_ITEM, pool, arena);
    update[0] = frs_rows_divided(&update[0], &share, arena);
}

const struct frs_learner frs_learner_scolr = {
    .plugin = {.name = "scolr",
        .summary = "low-rank updates whose uploads take part of the shared projection's columns",
        .source = "Nguyen et al. 2024, section 4.4 and algorithm 2",
        .params = params},
    .sends_updates = true,
    .uploads_updates = true,
    .takes_stale = true,
    .limits_epochs = true,
    .budgets = &budgets,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .round_seed = frs_low_rank_round_seed,
    .train = train,
    .aggregate = aggregate,
    .gather = gather,
    .apply = frs_low_rank_apply,
    .apply_flop = frs_low_rank_apply_flop,
    .score = frs_mf_score,
};
