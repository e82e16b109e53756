/* More clients are selected than are needed; the round closes when the cohort's number has arrived. */
#include "actors/policies/quorum.h"
#include "actors/round.h"
#include "sim/base/settings/params.h"

static const struct frs_param params[] = {
    {.key = "factor",
        .type = FRS_REAL,
        .initial = "1.3",
        .min = 1,
        .max = 1e6,
        .help = "clients selected, as a multiple of rounds.cohort, at most all there are"},
    {.key = "select",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 4294967295.0,
        .help = "clients selected, as a number; 0: by factor"},
    FRS_QUORUM_PARAMS,
    {0},
};

static uint32_t n_selected_by(double factor, const struct frs_policy_setup *setup) {
    return factor * setup->cohort >= setup->n_clients ? setup->n_clients
                                                      : frs_share_of(factor, setup->cohort);
}

static void read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    uint64_t n = (uint64_t)frs_values_int(values, "select");
    if (n > 0 && (n < setup->cohort || n > setup->n_clients))
        frs_values_error(values, "select", errors,
            "%llu is not possible; allowed: from rounds.cohort (%u) to the number of clients (%u), or 0",
            (unsigned long long)n, setup->cohort, setup->n_clients);
    settings->n_selected = n > 0 ? (uint32_t)n : n_selected_by(frs_values_real(values, "factor"), setup);
    frs_quorum_read(values, setup, settings);
}

static void collect(struct frs_round *round) {
    frs_round_wait(round, round->policy->n_needed, __builtin_inf());
}

const struct frs_policy frs_policy_over_select = {
    .plugin = {.name = "over_select",
        .summary = "ask more clients than the cohort; close when the cohort's number has arrived",
        .source = "Bonawitz et al. 2019",
        .params = params},
    .leaves_stragglers = true,
    .read = read,
    .collect = collect,
};
