/* Step down: a client's budget is the largest as long as its uploads arrive, and halved for every time that
 * it has been cut off since the last one did. */
#include "actors/adaptation.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/plugins/table.h"

#include <stdlib.h>

static const struct frs_param params[] = {
    {.key = "least",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "budget that is not gone below; 0: the smallest the method knows"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_budget_range *range, struct frs_errors *errors) {
    uint32_t *least = frs_alloc(1, sizeof *least);
    *least = frs_adaptation_budget(values, "least", range, range->min, errors);
    return least;
}

static void choose(const struct frs_adaptation_request *request, uint32_t *budgets) {
    uint32_t least = *(const uint32_t *)request->settings;
    for (size_t i = 0; i < request->n; i++) {
        const struct frs_seen *seen = frs_observations_client(request->observations, request->clients[i]);
        uint32_t budget = seen->cuts < 32 ? request->range.max >> seen->cuts : 0;
        budgets[i] = budget > least ? budget : least;
    }
}

static const struct frs_adaptation step_down = {
    .plugin = {.name = "step_down",
        .summary = "half the budget for every time a client was cut off",
        .params = params},
    .observes = true,
    .create = create,
    .choose = choose,
};

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .adaptations = (const struct frs_adaptation *const[]){&step_down, NULL},
};
