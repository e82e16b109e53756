/* The round closes when every participation has ended, but at the latest `after` its messages left the
 * server. If fewer than `min_uploads` have arrived by then, it closes as soon as they have. */
#include "actors/policies/late.h"
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
        .help = "how long the server waits from the moment its messages leave"},
    {.key = "min_uploads",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 4294967295.0,
        .help = "uploads of the round's own clients without which it does not close: the server waits on "
                "after `after` until so many are in, or none can come any more; not with a quorum"},
    FRS_LATE_PARAMS,
    FRS_QUORUM_PARAMS,
    {0},
};

static void read_least(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    uint64_t least = (uint64_t)frs_values_int(values, "min_uploads");
    if (least > setup->cohort)
        frs_values_error(values, "min_uploads", errors,
            "%llu are more than the clients of a round; allowed: at most rounds.cohort (%u)",
            (unsigned long long)least, setup->cohort);
    else if (least > 0 && settings->quorum > 0)
        frs_values_error(values, "min_uploads", errors,
            "a round that waits for its uploads is not repeated for want of them; allowed: 0, or quorum = 0");
    settings->min_uploads = (uint32_t)least;
}

static void read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    settings->after_s = frs_values_real(values, "after");
    frs_late_read(values, setup, settings);
    frs_quorum_read(values, setup, settings);
    read_least(values, setup, settings, errors);
}

static void collect(struct frs_round *round) {
    if (!frs_round_wait(round, round->n, round->started_s + round->policy->after_s))
        frs_round_wait(round, round->policy->min_uploads, __builtin_inf());
}

const struct frs_policy frs_policy_deadline = {
    .plugin = {.name = "deadline",
        .summary = "wait for a time at most; who has not arrived by then is cut, or late",
        .source = "Bonawitz et al. 2019",
        .params = params},
    .leaves_stragglers = true,
    .read = read,
    .collect = collect,
};
