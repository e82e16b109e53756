/* RFRec: in every round clients make a local step and upload V_(i), and the server broadcasts the mean
 * (Liu et al. 2024, algorithm 1). */
#include "algorithms/models/rfrec_model.h"

const struct frs_param frs_rfrec_params[] = {FRS_RFREC_PARAMS("0.05", "3"), {0}};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    return frs_rfrec_create_as(false, values, setup, errors);
}

static const struct frs_learner_rounds rounds = {
    .steps_alone = frs_rfrec_steps_alone, .broadcast = frs_rfrec_broadcast};

static const struct frs_learner_privacy mechanisms = {
    .own = frs_rfrec_mechanisms, .draws_itself = true, .refuses = frs_rfrec_refuses};

const struct frs_learner frs_learner_rfrec = {
    .plugin = {.name = "rfrec",
        .summary = "regularised federated recommendation: own item rows drawn towards the mean",
        .source = "Liu et al., CIKM 2024, algorithm 1",
        .params = frs_rfrec_params},
    .uploads_updates = true,
    .draws_nothing = true,
    .predicts_ratings = true,
    .averaging = FRS_AVERAGES_EVENLY,
    .own_step = FRS_RFREC_OWN_STEP,
    .published_code = &frs_rfrec_published_code,
    .rounds = &rounds,
    .gather = frs_rfrec_gather,
    .trains_anew = frs_rfrec_trains_anew,
    .mechanisms = &mechanisms,
    .create = create,
    .train = frs_rfrec_train,
    .aggregate = frs_rfrec_aggregate,
    .apply = frs_rfrec_apply,
    .score = frs_rfrec_score,
};
