/* FedMF that sends updates both ways: the method under every codec that compresses an update (TopK, SVD,
 * quantisation, FedRAS's groups).
 *
 *   client u   uploads ΔQ_u = Q_u after training − Q_u before, for the rows it touched
 *   server ΔQ = Σ_u w_u ΔQ_u, per item by default; each receiver, Q ← Q + ΔQ
 *
 * Defaults are those of FedRAS (d 32, E 2, B 256, SGD). */
#include "algorithms/downlink/catchup_params.h"
#include "algorithms/models/mf_model.h"

static const struct frs_param params[] = {
    FRS_MF_PARAMS("32", "2", "sgd", "0.5", "row_mean", "5e-4", "0", "private"),
    FRS_AGGREGATION_PARAM("per_item"),
    FRS_CATCHUP_PARAMS,
    {0},
};

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    frs_mf_train(context, training, arena, out);
    frs_rows_to_update(&out->upload[0], training->tables->part[0], arena);
    out->upload_checked = false; /* rows are, and the difference of two may be too large */
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct frs_mf_model *model = context;
    update[0] = frs_model_mean(&model->base, contributions, n, 0, model->base.weighting, arena);
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
    .averaging = FRS_AVERAGES_WEIGHTED,
    .limits_epochs = true,
    .create = frs_mf_create,
    .train = train,
    .aggregate = aggregate,
    .gather = frs_model_gather,
    .score = frs_mf_score,
};
