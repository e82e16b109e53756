/* CoLR over FedNCF: the item table changes under a projection all clients of a round share (projection.h),
 * the perceptron beside it travels as what changed, as in fedncf_update (Nguyen et al. 2024, algorithm 1;
 * FedRAS's table 1 has it as a baseline and leaves open what becomes of the perceptron; algorithms.md,
 * sections 3 and 5). Weight decay acts on A, as in colr. Defaults are those of FedRAS (d 32, layers 64, 32 and
 * 16, E 2, B 256, SGD); rank 2 is its middle compression rate, 93.75 % of the item table. */
#include "algorithms/learners/catchup_params.h"
#include "algorithms/learners/fedncf_model.h"
#include "algorithms/learners/projection.h"
#include "sim/base/memory.h"

#include <stdlib.h>

struct colr_ncf {
    struct frs_fedncf ncf; /* first: its functions take the model as it is */
    struct frs_projection projection;
};

static const struct frs_param params[] = {
    FRS_PROJECTION_PARAMS("2", "rank r of the item table's update; at most dim",
        "paper: B ~ N(0, 1/r), weights N_u/N; published_code: orthonormal B, scaled gradient, per-item mean "
        "(CoLR's code, which has no perceptron)"),
    FRS_MF_PARAMS("32", "2", "sgd", "1", "row_mean", "5e-4", "0", "private"),
    FRS_FEDNCF_PARAMS("64,32,16", "uniform"),
    FRS_PROJECTION_AGGREGATION_PARAM,
    FRS_CATCHUP_PARAMS,
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct colr_ncf *model = frs_alloc(1, sizeof *model);
    bool good = frs_fedncf_init(&model->ncf, values, setup, errors);
    if (good && frs_projection_init(&model->projection, values, model->ncf.settings.dim, errors)) {
        model->ncf.settings.local.gradient_scale = frs_projection_gradient_scale(&model->projection);
        if (!setup->weighted)
            model->ncf.weighting = frs_projection_weighting(&model->projection, values);
        return model;
    }
    if (good)
        frs_fedncf_fini(&model->ncf);
    free(model);
    return NULL;
}

static void destroy(void *context) {
    struct colr_ncf *model = context;
    frs_projection_fini(&model->projection);
    frs_fedncf_fini(&model->ncf);
    free(model);
}

static size_t parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    const struct colr_ncf *model = context;
    size_t n = frs_fedncf_parts(&model->ncf, payload, out);
    if (payload != FRS_STATE)
        out[0] = (struct frs_part){.name = "A", .n_rows = out[0].n_rows, .dim = model->projection.rank};
    return n;
}

static uint64_t word(void *context, uint32_t round) {
    struct colr_ncf *model = context;
    return frs_projection_open(&model->projection, model->ncf.setup.population->seed, round);
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct colr_ncf *model = context;
    const float *b = frs_projection_of(&model->projection, training->word, arena);
    frs_fedncf_train_low_rank(&model->ncf, training, b, model->projection.rank, arena, out);
    frs_rows_to_update(&out->upload[1], training->tables->part[1], arena);
}

static void apply(const void *context, const struct frs_tables *held, uint64_t seed,
    const struct frs_rows *update, struct frs_arena *arena) {
    const struct colr_ncf *model = context;
    frs_projection_apply(&model->projection, seed, &update[0], held->part[0], arena);
    frs_rows_add_to(&update[1], held->part[1]);
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
    .limits_epochs = true,
    .create = create,
    .destroy = destroy,
    .parts = parts,
    .private_values = frs_fedncf_private_values,
    .tables = frs_fedncf_tables,
    .word = word,
    .train = train,
    .commit = frs_fedncf_commit,
    .aggregate = frs_fedncf_average,
    .apply = apply,
    .archive = frs_fedncf_archive,
    .score = frs_fedncf_score,
};
