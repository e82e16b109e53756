/* FedBuff: rounds.cohort clients are under way at any time; whenever `arrivals` uploads have arrived, the
 * server aggregates them and goes on. A round is the span between two aggregations. The paper's Q += η_g Σ
 * s(τ_u) Δ_u / K is the method's own rule, with s(τ_u) Δ_u in place of Δ_u (algorithms/aggregation.h),
 * where method.aggregation is uniform; η_g is method.server.rate. */
#include "actors/policies/staleness.h"
#include "actors/policy.h"
#include "actors/round.h"
#include "sim/base/settings/params.h"

static const struct frs_param params[] = {
    {.key = "arrivals",
        .type = FRS_INT,
        .initial = "10",
        .min = 1,
        .max = 1e9,
        .help = "uploads K of one aggregation"},
    FRS_STALENESS_PARAM,
    {.key = "patience",
        .type = FRS_INT,
        .initial = "100",
        .min = 1,
        .max = 1e6,
        .help =
            "losses for every one of `arrivals` after which whatever has come in is aggregated, so that a "
            "run ends even if nothing gets through"},
    {0},
};

static void read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    (void)setup;
    (void)errors;
    settings->n_needed = (uint32_t)frs_values_int(values, "arrivals");
    settings->patience = (size_t)frs_values_int(values, "patience") * settings->n_needed;
    settings->damps_stale = frs_staleness_damps(values);
}

static void collect(struct frs_round *round) {
    frs_round_wait(round, round->policy->n_needed, __builtin_inf());
}

const struct frs_policy frs_policy_buffered_async = {
    .plugin = {.name = "buffered_async",
        .summary = "no rounds: clients are always under way, the server aggregates every K uploads, as the "
                   "method does, older ones counting less",
        .source = "Nguyen et al. 2022 (FedBuff)",
        .params = params},
    .asynchronous = true,
    .read = read,
    .collect = collect,
};
