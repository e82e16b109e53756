/* At a given time every client finishes its current epoch and uploads its result. The round closes when
 * every participation has ended, but at most `grace` later. */
#include "actors/policies/quorum.h"
#include "actors/round.h"
#include "sim/base/settings/params.h"

#include <math.h>

static const struct frs_param params[] = {
    {.key = "after",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .min = 1e-3,
        .max = INFINITY,
        .help = "how long clients train more epochs, from the moment the server's messages leave"},
    {.key = "grace",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .min = 0,
        .max = INFINITY,
        .help = "how long the server waits for what they upload then"},
    FRS_QUORUM_PARAMS,
    {0},
};

static void read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    (void)errors;
    settings->after_s = frs_values_real(values, "after");
    settings->grace_s = frs_values_real(values, "grace");
    frs_quorum_read(values, setup, settings);
}

static void collect(struct frs_round *round) {
    double at_s = round->started_s + round->policy->after_s;
    if (frs_round_wait(round, round->n, at_s))
        return;
    frs_round_finish_epochs(round);
    frs_round_wait(round, round->n, at_s + round->policy->grace_s);
}

const struct frs_policy frs_policy_partial_work = {
    .plugin = {.name = "partial_work",
        .summary = "at a given time clients finish the epoch they are in and upload what they have",
        .source = "Li et al. 2020 (FedProx)",
        .params = params},
    .leaves_stragglers = true,
    .truncates = true,
    .read = read,
    .collect = collect,
};
