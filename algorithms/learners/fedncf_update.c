/* FedNCF that sends updates both ways: FedRAS's other backbone, under every codec that compresses an
 * update. Lossy codecs act on the item table; the perceptron is no table and is sent as it is. Defaults
 * are those of FedRAS (d 32, layers 64, 32 and 16, E 2, B 256, SGD). */
#include "algorithms/downlink/catchup_params.h"
#include "algorithms/models/fedncf_model.h"

static const struct frs_param params[] = {
    FRS_MF_PARAMS("32", "2", "sgd", "1", "row_mean", "5e-4", "0", "private"),
    FRS_FEDNCF_PARAMS("64,32,16", "uniform"),
    FRS_FEDNCF_AGGREGATION_PARAM("per_item"),
    FRS_CATCHUP_PARAMS,
    {0},
};

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    frs_fedncf_train(context, training, arena, out);
    for (size_t part = 0; part < 2; part++)
        frs_rows_to_update(&out->upload[part], training->tables->part[part], arena);
}

const struct frs_learner frs_learner_fedncf_update = {
    .plugin = {.name = "fedncf_update",
        .summary = "neural collaborative filtering that sends updates of item table and perceptron both ways",
        .source = "FedNCF as Lu et al. 2025 (FedRAS) compress it; defaults of FedRAS",
        .params = params},
    .sends_updates = true,
    .uploads_updates = true,
    .updates_keep = true,
    .takes_stale = true,
    .averaging = FRS_AVERAGES_WEIGHTED,
    .limits_epochs = true,
    .create = frs_fedncf_create,
    .train = train,
    .aggregate = frs_fedncf_average,
    .gather = frs_model_gather,
    .score = frs_fedncf_score,
};
