/* FedMF: matrix factorisation with private user vectors and one item table that travels whole, both ways
 * (Chai et al. 2021 with FedAvg; algorithms.md, section 2).
 *
 * A client loads Q, trains (p_u, Q_u) for E epochs and uploads Q_u; the server averages what arrived. Rows no
 * batch has touched stay exactly as received, so only touched rows are trained, compared and averaged. */
#include "algorithms/learners/fedmf_model.h"

static const struct frs_param params[] = {
    FRS_MF_PARAMS("16", "2", "sgd", "0.5", "row_mean", "5e-4", "0", "private"),
    FRS_FEDMF_AGGREGATION_PARAM("per_item"),
    {0},
};

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct frs_fedmf *model = context;
    struct frs_rows change = frs_aggregate_changes(contributions, n, 0, model->weighting, arena);
    frs_rows_add_to(&change, model->items);
}

const struct frs_learner frs_learner_fedmf = {
    .plugin = {.name = "fedmf",
        .summary = "federated matrix factorisation, the whole item table both ways",
        .source = "Chai et al. 2021 with FedAvg; local training as that of fedmf_update and CoLR",
        .params = params},
    .takes_stale = true,
    .limits_epochs = true,
    .create = frs_fedmf_create,
    .destroy = frs_fedmf_destroy,
    .parts = frs_fedmf_parts,
    .private_values = frs_fedmf_private_values,
    .tables = frs_fedmf_tables,
    .train = frs_fedmf_train,
    .commit = frs_fedmf_commit,
    .aggregate = aggregate,
    .archive = frs_fedmf_archive,
    .score = frs_fedmf_score,
};
