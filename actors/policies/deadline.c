/* The round closes when every participation has ended, but at the latest the duration `after` from when its
 * messages left the server. */
#include "actors/policies/quorum.h"
#include "actors/policies/staleness.h"
#include "actors/round.h"
#include "sim/base/settings/params.h"

#include <math.h>

enum late { LATE_REJECT, LATE_ACCEPT };
static const char *const late_names[] = {[LATE_REJECT] = "reject", [LATE_ACCEPT] = "accept", NULL};

static const struct frs_param params[] = {
    {.key = "after",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .min = 1e-3,
        .max = INFINITY,
        .help = "how long the server waits from the moment its messages leave"},
    {.key = "late",
        .type = FRS_CHOICE,
        .initial = "reject",
        .choices = late_names,
        .help = "with rounds.stragglers = run_on: whether the next round uses uploads that come late"},
    FRS_STALENESS_PARAM, /* with late = accept */
    FRS_QUORUM_PARAMS,
    {0},
};

static void read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    (void)errors;
    settings->after_s = frs_values_real(values, "after");
    if (setup->run_on)
        settings->accepts_late = frs_values_choice(values, "late") == LATE_ACCEPT;
    if (settings->accepts_late)
        settings->damps_stale = frs_staleness_damps(values);
    frs_quorum_read(values, setup, settings);
}

static void collect(struct frs_round *round) {
    frs_round_wait(round, round->n, round->started_s + round->policy->after_s);
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
