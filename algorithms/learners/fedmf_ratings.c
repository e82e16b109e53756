/* FedMF for ratings: biased matrix factorisation with private user vectors and biases, and one item table
 * that travels whole, both ways (Chai et al. 2021 with FedAvg and biases).
 *
 * A client trains its vector, its bias and the rows of the items it has rated by SGD; the server averages
 * each row over the clients that changed it. Ratings are centred: predictions begin at the middle of the
 * scale plus the client's bias, which begins at its mean rating and never leaves it. */
#include "algorithms/models/mf_model.h"
#include "algorithms/models/rating_mf.h"

struct fedmf_ratings {
    struct frs_rating_mf mf;
    enum frs_weighting weighting;
};

static const struct frs_param params[] = {
    FRS_RATING_MF_PARAMS("1", "0.05", "0.1"),
    FRS_AGGREGATION_PARAM("per_item"),
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct fedmf_ratings *model = frs_rating_mf_begin(sizeof *model, values, setup);
    model->weighting = frs_weighting_read(values, setup);
    return model;
}

/* Q ← Q + Σ_u w_u (Q_u − Q) */
static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct fedmf_ratings *model = context;
    frs_aggregate_into(model->mf.items, contributions, n, 0, model->weighting, arena);
    (void)update;
}

const struct frs_learner frs_learner_fedmf_ratings = {
    .plugin = {.name = "fedmf_ratings",
        .summary = "federated biased matrix factorisation of ratings, the whole item table both ways",
        .source = "Chai et al. 2021 with FedAvg; Koren, Bell & Volinsky 2009",
        .params = params},
    .takes_stale = true,
    .limits_epochs = true,
    .predicts_ratings = true,
    .create = create,
    .train = frs_rating_mf_train,
    .aggregate = aggregate,
    .score = frs_rating_mf_score,
};
