/* CoLR over FedNCF: the item table changes under a projection that all clients of a round share
 * (projection.h). The perceptron travels beside it as an update, as in fedncf_update (Nguyen et al. 2024,
 * algorithm 1; FedRAS's table 1 has it as a baseline and leaves open how the perceptron travels). Weight
 * decay is colr's, and also acts on the perceptron. Defaults are those of FedRAS (d 32, layers 64, 32 and
 * 16, E 2, B 256, SGD), except the decay, which counts more than there. Rank 2 is its middle compression
 * rate, 93.75 % of the item table. */
#include "algorithms/downlink/catchup_params.h"
#include "algorithms/models/fedncf_model.h"
#include "algorithms/models/projection.h"

struct colr_ncf {
    struct frs_fedncf ncf;
    struct frs_projection projection;
};

static const struct frs_param params[] = {
    FRS_PROJECTION_PARAMS("2", "rank r of the item table's update; at most dim",
        "paper: B ~ N(0, 1/r), weights N_u/N; published_code: orthonormal B, scaled gradient, per-item mean, "
        "weight_decay times |q + B a|^2 + |p|^2 (CoLR's code, which has no perceptron)"),
    FRS_MF_PARAMS("32", "2", "sgd", "1", "row_mean", "1e-4", "0", "private"),
    FRS_FEDNCF_PARAMS("64,32,16", "uniform"),
    FRS_PROJECTION_AGGREGATION_PARAM,
    FRS_CATCHUP_PARAMS,
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct colr_ncf *model = frs_model_create(sizeof *model, setup);
    struct frs_fedncf *ncf = &model->ncf;
    if (!frs_fedncf_read(ncf, values, errors) ||
        !frs_projection_init(&model->projection, &ncf->base, values, ncf->settings.dim, errors)) {
        frs_model_destroy(model);
        return NULL;
    }
    struct frs_table items = frs_mf_items(&ncf->settings, setup->population->n_items);
    frs_projection_train_by(&model->projection, &ncf->settings.local);
    ncf->base.weighting = frs_projection_weighting(&model->projection, values);
    frs_fedncf_declare(ncf, values, frs_projected(items, &model->projection));
    return model;
}

static uint64_t round_seed(void *context, uint32_t round) {
    struct colr_ncf *model = context;
    return frs_projection_open(&model->projection, model->ncf.base.setup.population->seed, round);
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct colr_ncf *model = context;
    const float *b = frs_projection_of(&model->projection, training->round_seed, arena);
    frs_fedncf_train_low_rank(&model->ncf, training, b, model->projection.rank, arena, out);
    frs_rows_to_update(&out->upload[1], training->tables->part[1], arena);
}

static void apply(const void *context, const struct frs_tables *held, uint64_t seed,
    const struct frs_rows *update, struct frs_arena *arena) {
    const struct colr_ncf *model = context;
    frs_projection_apply(&model->projection, seed, &update[0], held->part[0], arena);
    frs_rows_add_to(&update[1], held->part[1]);
}

static double apply_flop(const void *context) {
    const struct colr_ncf *model = context;
    return frs_projection_apply_flop(&model->projection, model->ncf.base.setup.population->n_items);
}

const struct frs_learner frs_learner_colr_ncf = {
    .plugin = {.name = "colr_ncf",
        .summary =
            "neural collaborative filtering whose item table has low-rank updates under a shared projection",
        .source = "Nguyen et al. 2024, algorithm 1, over FedNCF as Lu et al. 2025 (FedRAS) compare it",
        .params = params},
    .sends_updates = true,
    .uploads_updates = true,
    .takes_stale = true,
    .averaging = FRS_AVERAGES_WEIGHTED,
    .limits_epochs = true,
    .create = create,
    .round_seed = round_seed,
    .train = train,
    .aggregate = frs_fedncf_average,
    .gather = frs_model_gather,
    .apply = apply,
    .apply_flop = apply_flop,
    .score = frs_fedncf_score,
};
