/* The round closes when a share of those who were selected has arrived, but not later than `after` its
 * messages left the server. */
#include "actors/policies/quorum.h"
#include "actors/round.h"
#include "sim/base/settings/params.h"
#include "sim/plugins/table.h"

static const struct frs_param params[] = {
    {.key = "share",
        .type = FRS_REAL,
        .initial = "0.8",
        .min = 1e-6,
        .max = 1,
        .help = "share of the clients selected whose uploads close the round"},
    {.key = "after",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "10 min",
        .min = 1e-3,
        .max = 1e9,
        .help = "how long the server waits at most, from the moment its messages leave"},
    FRS_QUORUM_PARAMS,
    {0},
};

static void read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    (void)errors;
    settings->share = frs_values_real(values, "share");
    settings->after_s = frs_values_real(values, "after");
    frs_quorum_read(values, setup, settings);
}

static void collect(struct frs_round *round) {
    const struct frs_policy_settings *policy = round->policy;
    frs_round_wait(
        round, frs_share_of(policy->share, (uint32_t)round->n), round->started_s + policy->after_s);
}

const struct frs_policy frs_policy_share_by = {
    .plugin = {.name = "share_by",
        .summary = "close when a share of the cohort has arrived, or after a time",
        .params = params},
    .leaves_stragglers = true,
    .read = read,
    .collect = collect,
};

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .policies = (const struct frs_policy *const[]){&frs_policy_share_by, NULL},
};
