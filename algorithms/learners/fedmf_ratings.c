/* FedMF for ratings: biased matrix factorisation with private user vectors and biases, and one item table
 * that travels whole, both ways (Chai et al. 2021 with FedAvg and biases; algorithms.md, section 7).
 *
 * A client trains its vector, its bias and the rows of the items it has rated by SGD; the server averages
 * each row over the clients that changed it. Ratings are centred: predictions begin at the middle of the
 * scale plus the client's bias, which begins at its mean rating and never leaves it. */
#include "algorithms/aggregation.h"
#include "algorithms/learners/rating_mf.h"
#include "sim/base/memory.h"

#include <stdlib.h>

struct fedmf_ratings {
    struct frs_rating_mf mf; /* first: its slots are given the whole model */
    enum frs_weighting weighting;
};

static const struct frs_param params[] = {
    FRS_RATING_MF_PARAMS("1", "0.05", "0.1"),
    {.key = "aggregation",
        .type = FRS_CHOICE,
        .initial = "per_item",
        .choices = frs_weighting_names,
        .help =
            "weight of an upload: data_size, uniform, or per_item over the clients that changed the item"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct fedmf_ratings *model = frs_alloc(1, sizeof *model);
    frs_rating_mf_init(&model->mf, values, setup);
    if (!setup->weighted)
        model->weighting = (enum frs_weighting)frs_values_choice(values, "aggregation");
    return model;
}

static void destroy(void *context) {
    struct fedmf_ratings *model = context;
    frs_rating_mf_fini(&model->mf);
    free(model);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct fedmf_ratings *model = context;
    struct frs_rows change = frs_aggregate_changes(contributions, n, 0, model->weighting, arena);
    frs_rows_add_to(&change, model->mf.items);
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
    .destroy = destroy,
    .parts = frs_rating_mf_parts,
    .private_values = frs_rating_mf_private_values,
    .tables = frs_rating_mf_tables,
    .train = frs_rating_mf_train,
    .commit = frs_rating_mf_commit,
    .aggregate = aggregate,
    .archive = frs_rating_mf_archive,
    .score = frs_rating_mf_score,
};
