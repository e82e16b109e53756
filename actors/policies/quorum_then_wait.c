/* The round closes when the time `then` has passed since the needed number of uploads had arrived, or when
 * every participation has ended, whichever is first. */
#include "actors/policies/late.h"
#include "actors/policies/quorum.h"
#include "actors/round.h"
#include "sim/base/settings/params.h"

#include <math.h>

static const struct frs_param params[] = {
    {.key = "uploads",
        .type = FRS_SHARE,
        .initial = "80 %",
        .help = "uploads that have to arrive before the wait begins: a count, or a share of rounds.cohort"},
    {.key = "then",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "10 s",
        .min = 0,
        .max = INFINITY,
        .help = "how long the server waits for further ones from then on"},
    FRS_LATE_PARAMS,
    FRS_QUORUM_PARAMS,
    {0},
};

static void read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    struct frs_share uploads = frs_values_share(values, "uploads");
    if (uploads.is_count && uploads.count > setup->cohort)
        frs_values_error(values, "uploads", errors,
            "%llu are more than the clients of a round; allowed: at most rounds.cohort (%u)",
            (unsigned long long)uploads.count, setup->cohort);
    settings->n_needed =
        uploads.is_count ? (uint32_t)uploads.count : frs_share_of(uploads.fraction, setup->cohort);
    settings->then_s = frs_values_real(values, "then");
    frs_late_read(values, setup, settings);
    frs_quorum_read(values, setup, settings);
}

static void collect(struct frs_round *round) {
    if (frs_round_wait(round, round->policy->n_needed, __builtin_inf()))
        frs_round_wait(round, round->n, frs_round_now_s(round) + round->policy->then_s);
}

const struct frs_policy frs_policy_quorum_then_wait = {
    .plugin = {.name = "quorum_then_wait",
        .summary = "close a time after so many uploads have arrived",
        .source = "Roth et al. 2022 (NVIDIA FLARE: min_responses, wait_time_after_min_received)",
        .params = params},
    .leaves_stragglers = true,
    .read = read,
    .collect = collect,
};
