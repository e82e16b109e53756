/* FedMF: matrix factorisation with private user vectors and one item table that travels whole, both ways
 * (Chai et al. 2021 with FedAvg).
 *
 *   client u   (p_u, Q_u) ← E epochs, in batches, from (p_u, Q) on     (kernels/bce_mf.h)
 *              L_u = −Σ_i [ y_ui log σ(p_u · q_i) + (1 − y_ui) log(1 − σ(p_u · q_i)) ]
 *              keeps p_u, uploads Q_u
 *   server     Q ← Q + Σ_u w_u (Q_u − Q)
 *
 * Rows no batch has touched stay exactly as received, so only touched rows are trained, compared and averaged:
 * under aggregation per_item w_u is 1 over the number of clients that changed the row. */
#include "algorithms/models/mf_model.h"

static const struct frs_param params[] = {
    FRS_MF_PARAMS("16", "2", "sgd", "0.5", "row_mean", "5e-4", "0", "private"),
    FRS_AGGREGATION_PARAM("per_item"),
    {0},
};

/* Q ← Q + Σ_u w_u (Q_u − Q) */
static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct frs_mf_model *model = context;
    frs_aggregate_into(model->items, contributions, n, 0, model->weighting, arena);
    (void)update;
}

const struct frs_learner frs_learner_fedmf = {
    .plugin = {.name = "fedmf",
        .summary = "federated matrix factorisation, the whole item table both ways",
        .source = "Chai et al. 2021 with FedAvg; local training as that of fedmf_update and CoLR",
        .params = params},
    .takes_stale = true,
    .limits_epochs = true,
    .create = frs_mf_create,
    .train = frs_mf_train,
    .aggregate = aggregate,
    .score = frs_mf_score,
};
