/* Assigns a client the largest budget with which its participation is predicted to end in time, or the
 * smallest budget if none is small enough. In time means within a given duration, or within a quantile of
 * the durations that the cohort is known to need under the largest budget: slower clients are trimmed
 * until they are no slower than the others. The quantile ignores back-offs. Otherwise clients that are
 * aborted again and again would raise their own yardstick and would not be assigned less. */
#include "actors/adaptation.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

struct settings {
    double target_s; /* 0: by quantile */
    double quantile;
};

static const struct frs_param params[] = {
    {.key = "target",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "0 s",
        .min = 0,
        .max = 1e9,
        .help = "how long a participation may take; 0 s: `quantile` decides"},
    {.key = "quantile",
        .type = FRS_REAL,
        .initial = "0.5",
        .min = 0,
        .max = 1,
        .help =
            "share of the cohort that would be in time under the largest budget, back-offs left out; of no "
            "use where clients are selected one by one"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_budget_range *range, struct frs_errors *errors) {
    (void)range;
    (void)errors;
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->target_s = frs_values_real(values, "target");
    if (settings->target_s == 0)
        settings->quantile = frs_values_real(values, "quantile");
    return settings;
}

/* Nearest rank. */
static double quantile_s(const struct frs_adaptation_request *request, double share) {
    double *times = frs_alloc(request->n, sizeof *times);
    for (size_t i = 0; i < request->n; i++)
        times[i] = frs_adaptation_known_s(request, i, request->range.max);
    qsort(times, request->n, sizeof *times, frs_compare_doubles);
    double result = times[(size_t)(share * (double)(request->n - 1) + 0.5)];
    free(times);
    return result;
}

/* Predictions grow with the budget. */
static uint32_t largest(const struct frs_adaptation_request *request, size_t i, double target_s) {
    uint32_t low = request->range.min, high = frs_adaptation_most(request, i);
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (frs_adaptation_predict_s(request, i, middle) <= target_s)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void choose(const struct frs_adaptation_request *request, uint32_t *budgets) {
    const struct settings *settings = request->settings;
    double target_s = settings->target_s > 0 ? settings->target_s : quantile_s(request, settings->quantile);
    for (size_t i = 0; i < request->n; i++)
        budgets[i] = largest(request, i, target_s);
}

const struct frs_adaptation frs_adaptation_deadline = {
    .plugin = {.name = "deadline",
        .summary = "the largest budget that is predicted to be in time",
        .source = "Nishio and Yonetani 2019 (FedCS), applied to the size of an upload",
        .params = params},
    .observes = true,
    .create = create,
    .choose = choose,
};
