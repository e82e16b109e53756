#include "sim/forecast/extent.h"
#include "algorithms/training/effort.h"

#include <math.h>

/* Shares of the patience for playing rounds with training: where rounds without training follow, and where
 * the run has no training. The rest of the patience is for rounds without training. */
#define TRAINING 0.4
#define UNTRAINED_RUN 0.9

/* A round is played only if it takes at most this share of the run's effort, and at most so many times the
 * patience. Where rounds without training follow, the limit for a round with training is BEFORE_UNTRAINED of
 * that. */
#define SHARE_OF_RUN 0.02
#define MOST_PATIENCES 5
#define BEFORE_UNTRAINED 0.6

double frs_extent_per_round(const struct frs_setup *setup) {
    return setup->policy->asynchronous ? setup->policy_settings.n_needed : frs_setup_selected(setup);
}

static double round_effort_s(const struct frs_extent *extent, bool trains) {
    const struct frs_setup *setup = extent->setup;
    const struct frs_training_estimate *estimate = extent->estimate;
    double n = frs_extent_per_round(setup),
           effort_s = n * extent->simulation_s + frs_effort_of_tables_s(&setup->training);
    if (!trains)
        return effort_s;
    double shared_s =
        n * frs_training_estimate_effort_s(estimate) +
        frs_effort_of_aggregation_s(&setup->training, n, frs_training_estimate_up_values(estimate));
    if (setup->evaluate_every > 0)
        shared_s += frs_effort_of_evaluation_s(&setup->training) / (double)setup->evaluate_every;
    return effort_s + shared_s / (double)extent->threads;
}

static size_t rounds_within(
    const struct frs_extent *extent, bool trains, double share_s, double whole_s, double most_s) {
    double round_s = round_effort_s(extent, trains), all = extent->setup->n_rounds;
    if (round_s * all <= whole_s)
        return extent->setup->n_rounds;
    return round_s > most_s ? 0 : (size_t)fmin(all, ceil(share_s / round_s));
}

static double most_s(const struct frs_extent *extent) {
    double run_s = extent->setup->n_rounds * round_effort_s(extent, extent->estimate);
    return fmin(fmax(extent->patience_s, SHARE_OF_RUN * run_s), MOST_PATIENCES * extent->patience_s);
}

struct frs_pilot_request frs_extent_real(const struct frs_extent *extent) {
    bool trains = extent->estimate;
    double patience_s = extent->patience_s, one_s = most_s(extent) * (trains ? BEFORE_UNTRAINED : 1);
    return (struct frs_pilot_request){.setup = extent->setup,
        .threads = extent->threads,
        .most_rounds = rounds_within(extent, trains, (trains ? TRAINING : UNTRAINED_RUN) * patience_s,
            UNTRAINED_RUN * fmin(patience_s, one_s), one_s),
        .ceiling_s = FRS_EXTENT_CEILING * (double)extent->threads * fmax(patience_s, one_s)};
}

struct frs_pilot_request frs_extent_estimated(const struct frs_extent *extent, bool has_real) {
    double left_s = (1 - FRS_EXTENT_PROBING - (has_real ? TRAINING : 0)) * extent->patience_s,
           one_s = most_s(extent);
    return (struct frs_pilot_request){.setup = extent->setup,
        .estimate = extent->estimate,
        .threads = 1,
        .most_rounds = rounds_within(extent, false, left_s, left_s, one_s),
        .ceiling_s = FRS_EXTENT_CEILING * fmax(extent->patience_s, one_s)};
}
