/* FedMF: matrix factorisation with private user vectors and one item table that travels whole, both ways
 * (Chai et al. 2021 with FedAvg).
 *
 *   client u   (p_u, Q_u) ← E epochs, in batches, from (p_u, Q) on     (steps/bce_mf.h)
 *              L_u = −Σ_i [ y_ui log σ(p_u · q_i) + (1 − y_ui) log(1 − σ(p_u · q_i)) ]
 *              keeps p_u, uploads Q_u
 *              proximal = μ > 0 adds (μ/2) ‖Q_u − Q‖² over the rows of each batch (FedProx, Li et al. 2020)
 *   server     Q ← Q + Σ_u w_u (Q_u − Q)
 *
 * Rows no batch has touched stay exactly as received, so only touched rows are trained, compared and
 * averaged: under aggregation per_item w_u is 1 over the number of clients that changed the row. */
#include "algorithms/models/mf_model.h"

static const struct frs_param params[] = {
    FRS_MF_PARAMS("16", "2", "sgd", "0.5", "row_mean", "5e-4", "0", "private"),
    FRS_AGGREGATION_PARAM("per_item"),
    {.key = "proximal",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e3,
        .help =
            "mu of FedProx: mu times (row - row received) is added to the gradient of the rows in a batch, "
            "beside weight_decay and whatever sgd_scaling is; 0: FedAvg. Under sgd, learning_rate times mu "
            "is the share of the way back that a step takes"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_mf_model *model = frs_mf_create(values, setup, errors);
    model->settings.local.proximal = (float)frs_values_real(values, "proximal");
    return model;
}

const struct frs_learner frs_learner_fedmf = {
    .plugin = {.name = "fedmf",
        .summary = "federated matrix factorisation, the whole item table both ways",
        .source = "Chai et al. 2021 with FedAvg; local training as that of fedmf_update and CoLR",
        .params = params},
    .takes_stale = true,
    .gossips = true,
    .averaging = FRS_AVERAGES_WEIGHTED,
    .follows_rate = true,
    .limits_epochs = true,
    .create = create,
    .train = frs_mf_train,
    .aggregate = frs_model_average,
    .gather = frs_model_gather,
    .score = frs_mf_score,
};
