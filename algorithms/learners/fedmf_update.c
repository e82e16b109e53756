/* FedMF that sends updates both ways: the method under every codec that compresses an update (TopK, SVD,
 * quantisation, FedRAS's groups; algorithms.md, sections 4 and 5).
 *
 * A client uploads ΔQ_u = Q_u after training − Q_u before, for the rows it touched; the server averages, per
 * item by default, and broadcasts the average, which whoever receives it adds to its table. Defaults are
 * those of FedRAS (d 32, E 2, B 256, SGD). */
#include "algorithms/learners/catchup_params.h"
#include "algorithms/learners/fedmf_model.h"

static const struct frs_param params[] = {
    FRS_MF_PARAMS("32", "2", "sgd", "0.5", "row_mean", "5e-4", "0", "private"),
    FRS_FEDMF_AGGREGATION_PARAM("per_item"),
    FRS_CATCHUP_PARAMS,
    {0},
};

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    frs_fedmf_train(context, training, arena, out);
    frs_rows_to_update(&out->upload[0], training->tables->part[0], arena);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    const struct frs_fedmf *model = context;
    update[0] = frs_aggregate_changes(contributions, n, 0, model->weighting, arena);
}

static void apply(const void *context, const struct frs_tables *tables, uint64_t word,
    const struct frs_rows *update, struct frs_arena *arena) {
    (void)context;
    (void)word;
    (void)arena;
    frs_rows_add_to(&update[0], tables->part[0]);
}

const struct frs_learner frs_learner_fedmf_update = {
    .plugin = {.name = "fedmf_update",
        .summary = "federated matrix factorisation that sends updates of the item table both ways",
        .source = "FedMF as Nguyen et al. 2024 and Lu et al. 2025 compress it; defaults of FedRAS",
        .params = params},
    .sends_updates = true,
    .uploads_updates = true,
    .updates_keep = true,
    .takes_stale = true,
    .limits_epochs = true,
    .create = frs_fedmf_create,
    .destroy = frs_fedmf_destroy,
    .parts = frs_fedmf_parts,
    .private_values = frs_fedmf_private_values,
    .tables = frs_fedmf_tables,
    .train = train,
    .commit = frs_fedmf_commit,
    .aggregate = aggregate,
    .apply = apply,
    .archive = frs_fedmf_archive,
    .score = frs_fedmf_score,
};
