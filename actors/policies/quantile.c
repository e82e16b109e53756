/* The round closes when the uploads of a share of the selected clients have arrived. */
#include "actors/policies/quorum.h"
#include "actors/round.h"
#include "sim/base/settings/params.h"

static const struct frs_param params[] = {
    {.key = "share",
        .type = FRS_REAL,
        .initial = "0.8",
        .min = 1e-6,
        .max = 1,
        .help = "share of the clients selected whose uploads close the round"},
    FRS_QUORUM_PARAMS,
    {0},
};

static void read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    (void)errors;
    settings->share = frs_values_real(values, "share");
    frs_quorum_read(values, setup, settings);
}

static void collect(struct frs_round *round) {
    frs_round_wait(round, frs_share_of(round->policy->share, (uint32_t)round->n), __builtin_inf());
}

const struct frs_policy frs_policy_quantile = {
    .plugin = {.name = "quantile",
        .summary = "close when a share of the cohort has arrived",
        .source = "Reisizadeh et al. 2022",
        .params = params},
    .leaves_stragglers = true,
    .read = read,
    .collect = collect,
};
