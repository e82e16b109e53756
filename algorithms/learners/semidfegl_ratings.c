/* SemiDFEGL over ratings: what semidfegl.c says, with squared errors. A rating is the mean of the client's
 * own ratings, which stays with it, plus the product. */
#include "algorithms/learners/semidfegl.h"
#include "algorithms/models/init_sd.h"

static const struct frs_param params[] = {
    FRS_SEMIDFEGL_PARAMS("10", "0.01", "0.01", "0.1", "200"),
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct frs_semidfegl *model = frs_semidfegl_begin(values, setup);
    model->rates = true;
    frs_semidfegl_declare(model);
    return model;
}

const struct frs_learner frs_learner_semidfegl_ratings = {
    .plugin = {.name = "semidfegl_ratings",
        .summary = "semidfegl over ratings",
        .source = "after Qu et al. 2023 (WWW), arXiv:2302.10900, from descriptions",
        .params = params},
    .predicts_ratings = true,
    .create = create,
    FRS_SEMIDFEGL_SLOTS,
};
