/* Every client is assigned the same budget, in every round. */
#include "actors/adaptation.h"
#include "sim/base/memory.h"

#include <stdlib.h>

static const struct frs_param params[] = {
    {.key = "budget",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "of every client and round, in the method's own unit (SCoLR: columns); 0: the largest"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_budget_range *range, struct frs_errors *errors) {
    uint32_t *budget = frs_alloc(1, sizeof *budget);
    *budget = frs_adaptation_budget(values, "budget", range, range->max, errors);
    return budget;
}

static void choose(const struct frs_adaptation_request *request, uint32_t *budgets) {
    for (size_t i = 0; i < request->n; i++)
        budgets[i] = *(const uint32_t *)request->settings;
}

const struct frs_adaptation frs_adaptation_fixed = {
    .plugin = {.name = "fixed",
        .summary = "the same budget for all clients",
        .source = "Nguyen et al. 2024 (CoLR)",
        .params = params},
    .create = create,
    .choose = choose,
};
