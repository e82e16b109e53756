/* FedNCF: neural collaborative filtering with private user vectors (Perifanis & Efraimidis 2022). A
 * perceptron over the user's and the item's vector computes the score. The item table and the perceptron
 * travel both ways, and the server averages them. */
#include "algorithms/models/fedncf_model.h"

static const struct frs_param params[] = {
    FRS_MF_PARAMS("16", "2", "sgd", "1", "row_mean", "5e-4", "0", "private"),
    FRS_FEDNCF_PARAMS("16,8", "uniform"),
    FRS_FEDNCF_AGGREGATION_PARAM("per_item"),
    {0},
};

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct frs_fedncf *model = context;
    struct frs_rows change[2];
    frs_fedncf_average(model, contributions, n, arena, change);
    frs_rows_add_to(&change[0], model->items);
    frs_rows_add_to(&change[1], model->network);
}

const struct frs_learner frs_learner_fedncf = {
    .plugin = {.name = "fedncf",
        .summary = "neural collaborative filtering, item table and perceptron both ways",
        .source = "Perifanis & Efraimidis 2022; layers of PFedCLR's tables, local training as that of "
                  "fedncf_update",
        .params = params},
    .takes_stale = true,
    .averaging = FRS_AVERAGES_WEIGHTED,
    .follows_rate = true,
    .limits_epochs = true,
    .create = frs_fedncf_create,
    .train = frs_fedncf_train,
    .aggregate = aggregate,
    .gather = frs_model_gather,
    .score = frs_fedncf_score,
};
