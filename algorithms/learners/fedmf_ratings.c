/* FedMF for ratings: biased matrix factorisation with private user vectors and biases, and one item table
 * that travels whole, both ways (Chai et al. 2021 with FedAvg and biases).
 *
 * A client trains its vector, its bias and the rows of the items it has rated by SGD; the server averages
 * each row over the clients that changed it: Q ← Q + Σ_u w_u (Q_u − Q). Ratings are centred: predictions
 * begin at the middle of the scale plus the client's bias, which begins at its mean rating and never leaves
 * it. */
#include "algorithms/models/rating_mf.h"

static const struct frs_param params[] = {
    FRS_RATING_MF_PARAMS("1", "0.05", "0.1"),
    FRS_AGGREGATION_PARAM("per_item"),
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct frs_rating_mf *model = frs_rating_mf_begin(sizeof *model, values, setup);
    model->base.weighting = frs_weighting_read(values);
    return model;
}

const struct frs_learner frs_learner_fedmf_ratings = {
    .plugin = {.name = "fedmf_ratings",
        .summary = "federated biased matrix factorisation of ratings, the whole item table both ways",
        .source = "Chai et al. 2021 with FedAvg; Koren, Bell & Volinsky 2009",
        .params = params},
    .takes_stale = true,
    .averaging = FRS_AVERAGES_WEIGHTED,
    .follows_rate = true,
    .limits_epochs = true,
    .predicts_ratings = true,
    .create = create,
    .train = frs_rating_mf_train,
    .aggregate = frs_model_average,
    .gather = frs_model_gather,
    .score = frs_rating_mf_score,
};
