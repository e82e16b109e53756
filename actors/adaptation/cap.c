/* Assigns the largest budget with which a client stays within its cap of bytes until the end of the
 * period, at the rate at which it takes part. This is the rest of the cap divided by the number of
 * participations that are expected until then, minus a download and connecting; all amounts are as
 * observed. In the first round no rate is known, and one participation is expected. */
#include "actors/accounts.h"
#include "actors/adaptation.h"
#include "sim/base/memory.h"

#include <stdlib.h>

static void *create(
    const struct frs_values *values, const struct frs_budget_range *range, struct frs_errors *errors) {
    (void)values;
    (void)range;
    (void)errors;
    return frs_alloc(1, 1);
}

/* Predictions grow with the budget. */
static uint32_t largest(const struct frs_adaptation_request *request, double up_bytes) {
    uint32_t low = request->range.min, high = request->range.max;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if (request->up_bytes(request->context, middle) <= up_bytes)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void choose(const struct frs_adaptation_request *request, uint32_t *budgets) {
    for (size_t i = 0; i < request->n; i++)
        budgets[i] =
            largest(request, frs_accounts_up_bytes(request->accounts, request->clients[i], request->now_s));
}

const struct frs_adaptation frs_adaptation_cap = {
    .plugin = {.name = "cap",
        .summary = "the largest budget that keeps to caps.bytes at the client's rate of participation",
        .source = "this project; the rate as the posterior mean of a Poisson process with a gamma prior"},
    .within_caps = true,
    .create = create,
    .choose = choose,
};
