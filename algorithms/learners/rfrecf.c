/* RFRecF: in every iteration one shared coin decides whether clients make a local step or the server
 * averages; messages cross only when the coin changes (Liu et al. 2024, algorithm 2; models/rfrec_coin.c). */
#include "algorithms/models/rfrec_model.h"

const struct frs_param frs_rfrecf_params[] = {FRS_RFREC_PARAMS("0.025", "1"),
    {.key = "coin",
        .type = FRS_REAL,
        .initial = "0.5",
        .min = 0.001,
        .max = 0.999,
        .help = "probability p that the server averages in an iteration"},
    {.key = "threshold",
        .type = FRS_REAL,
        .initial = "0.8",
        .min = 0.001,
        .max = 0.999,
        .help = "published_code: probability that the server averages"},
    {.key = "coins",
        .type = FRS_TEXT,
        .initial = "",
        .help = "the first coins as digits, 1: the server averages, in place of drawn ones; at most 4096"},
    {.key = "move",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1,
        .help =
            "exact, exact_local: share theta of the way that a move to the average goes (gradient, literal: "
            "learning_rate * lambda / coin)"},
    {0}};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    return frs_rfrec_create_as(true, values, setup, errors);
}

static const struct frs_learner_rounds rounds = {
    .course = frs_rfrecf_course, .steps_alone = frs_rfrec_steps_alone, .broadcast = frs_rfrec_broadcast};

static const struct frs_learner_privacy mechanisms = {
    .own = frs_rfrec_mechanisms, .draws_itself = true, .refuses = frs_rfrec_refuses};

const struct frs_learner frs_learner_rfrecf = {
    .plugin = {.name = "rfrecf",
        .summary = "RFRec with a shared coin: local steps and averages, and messages only between them",
        .source = "Liu et al., CIKM 2024, algorithm 2",
        .params = frs_rfrecf_params},
    .uploads_updates = true,
    .draws_nothing = true,
    .predicts_ratings = true,
    .averaging = FRS_AVERAGES_EVENLY,
    .own_step = FRS_RFREC_OWN_STEP,
    .published_code = &frs_rfrecf_published_code,
    .rounds = &rounds,
    .mechanisms = &mechanisms,
    .create = create,
    .train = frs_rfrec_train,
    .aggregate = frs_rfrec_aggregate,
    .apply = frs_rfrec_apply,
    .score = frs_rfrec_score,
};
