/* FedBuff: rounds.cohort clients are under way at any time; whenever `arrivals` uploads have come in, the
 * server adds their weighted mean, Q += η_g Σ s(τ_u) Δ_u / K, and goes on; η_g is method.server.rate. A round is
 * the span between two aggregations. */
#include "actors/policy.h"
#include "actors/round.h"

enum staleness { STALENESS_INVERSE_SQRT, STALENESS_NONE };
static const char *const staleness_names[] = {
    [STALENESS_INVERSE_SQRT] = "inverse_sqrt", [STALENESS_NONE] = "none", NULL};

static const struct frs_param params[] = {
    {.key = "arrivals",
        .type = FRS_INT,
        .initial = "10",
        .min = 1,
        .max = 1e9,
        .help = "uploads K of one aggregation"},
    {.key = "staleness",
        .type = FRS_CHOICE,
        .initial = "inverse_sqrt",
        .choices = staleness_names,
        .help =
            "weight of an update whose client downloaded s versions ago: inverse_sqrt (1/√(1+s)) or none"},
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
    settings->damps_stale = frs_values_choice(values, "staleness") == STALENESS_INVERSE_SQRT;
}

static void collect(struct frs_round *round) {
    frs_round_wait(round, round->policy->n_needed, __builtin_inf());
}

const struct frs_policy frs_policy_buffered_async = {
    .plugin = {.name = "buffered_async",
        .summary = "no rounds: clients are always under way, the server adds every K updates",
        .source = "Nguyen et al. 2022 (FedBuff)",
        .params = params},
    .asynchronous = true,
    .read = read,
    .collect = collect,
};
