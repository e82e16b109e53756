/* CoLR: correlated low-rank updates (Nguyen et al. 2024, algorithm 1).
 *
 * ΔQ_u = (B A_u)ᵀ with B [dim × rank] drawn anew every round from a shared seed and frozen, A_u [rank ×
 * n_items] trained from zero together with p_u. A client uploads A_u; the server averages A and sends it
 * down; each receiver adds (B A)ᵀ to its table.
 *
 * variant = paper: entries of B are N(0, 1/rank), plain gradient, N_u/N with N summed over the cohort (eq. 2;
 * the definition of N over all users in the paper's section 3.1 would shrink every step about a hundredfold).
 * variant = published_code: B is orthonormal times √(dim/rank), the gradient of A is scaled by √(rank/dim),
 * A is averaged per item over the clients that touched it, and the loss has weight_decay · (‖q_i + B a_i‖² +
 * ‖p‖²) added to it, summed over the samples of a batch and divided by them (paper: weight_decay of A and p
 * as such). */
#include "algorithms/downlink/catchup_params.h"
#include "algorithms/models/low_rank.h"
#include "algorithms/models/projected_rows.h"

static const struct frs_param params[] = {
    FRS_LOW_RANK_PARAMS("4", "rank r of the update; at most dim",
        "paper: B ~ N(0, 1/r), weights N_u/N, A and p decay; published_code: orthonormal B, scaled gradient, "
        "per-item mean, weight_decay times |q + B a|^2 + |p|^2 added to the loss"),
    FRS_PROJECTION_AGGREGATION_PARAM,
    FRS_CATCHUP_PARAMS,
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_low_rank *model = frs_low_rank_begin(sizeof *model, values, setup, errors);
    if (model)
        model->mf.base.weighting = frs_projection_weighting(&model->projection, values);
    return model;
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct frs_low_rank *model = context;
    const float *b = frs_projection_of(&model->projection, training->round_seed, arena);
    frs_low_rank_train(model, training, b, model->projection.rank, arena, out);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct frs_low_rank *model = context;
    update[0] = frs_model_mean(&model->mf.base, contributions, n, 0, model->mf.base.weighting, arena);
}

/* ---- without a server: the coefficients of the table under the round's B ---- */

static const void *open_gossip(const void *context, uint64_t round_seed, struct frs_arena *arena) {
    const struct frs_low_rank *model = context;
    return frs_projected_rows_open(&model->projection, round_seed, arena);
}

static size_t n_items(const struct frs_low_rank *model) {
    return model->mf.base.setup.population->n_items;
}

static void tell(const void *context, const void *opened, const struct frs_tables *own, float *message) {
    const struct frs_low_rank *model = context;
    frs_projected_rows_of(&model->projection, opened, own->part[0], n_items(model), message);
}

static void mix(const void *context, const void *opened, uint64_t round_seed, const float *const *messages,
    const double *weights, size_t n, const struct frs_tables *own, struct frs_arena *arena) {
    const struct frs_low_rank *model = context;
    (void)opened;
    frs_projected_rows_mix(
        &model->projection, round_seed, messages, weights, n, n_items(model), own->part[0], arena);
}

static double tell_flop(const void *context) {
    const struct frs_low_rank *model = context;
    return frs_projected_rows_tell_flop(&model->projection, n_items(model));
}

static double mix_flop(const void *context, size_t n) {
    const struct frs_low_rank *model = context;
    return frs_projected_rows_mix_flop(&model->projection, n_items(model), n);
}

static const struct frs_learner_gossip gossip = {
    .open = open_gossip, .tell = tell, .mix = mix, .tell_flop = tell_flop, .mix_flop = mix_flop};

const struct frs_learner frs_learner_colr = {
    .plugin = {.name = "colr",
        .summary = "low-rank updates under a projection all clients share",
        .source = "Nguyen et al. 2024, algorithm 1",
        .params = params},
    .sends_updates = true,
    .uploads_updates = true,
    .takes_stale = true,
    .gossips = true,
    .gossip = &gossip,
    .averaging = FRS_AVERAGES_WEIGHTED,
    .limits_epochs = true,
    .create = create,
    .round_seed = frs_low_rank_round_seed,
    .train = train,
    .aggregate = aggregate,
    .gather = frs_model_gather,
    .apply = frs_low_rank_apply,
    .apply_flop = frs_low_rank_apply_flop,
    .score = frs_mf_score,
};
