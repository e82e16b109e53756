/* Budgets are in proportion to the clients' uplinks as observed: a client with the mean uplink is assigned
 * `at_mean` of the largest budget, and a client with an uplink half as fast half of that. The uplink of an
 * aborted client counts as slower by its back-off; an unknown uplink counts as the mean. */
#include "actors/adaptation.h"
#include "actors/extremes.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

/* Uplinks that are faster have no limit: what a byte takes there is what clocks make of it by rounding. */
#define LEAST_S_PER_BYTE 1e-12

static const struct frs_param params[] = {
    {.key = "at_mean",
        .type = FRS_REAL,
        .initial = "0.5",
        .min = 0,
        .max = 1e6,
        .help = "share of the largest budget for a client with the mean uplink"},
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_budget_range *range, struct frs_errors *errors) {
    (void)range;
    (void)errors;
    double *at_mean = frs_alloc(1, sizeof *at_mean);
    *at_mean = frs_values_real(values, "at_mean");
    return at_mean;
}

static void choose(const struct frs_adaptation_request *request, uint32_t *budgets) {
    const struct frs_observations *observations = request->observations;
    double at_mean = *(const double *)request->settings,
           mean_s = frs_larger(frs_observations_mean_pace(observations).up_s_per_byte, LEAST_S_PER_BYTE);
    for (size_t i = 0; i < request->n; i++) {
        uint32_t client = request->clients[i], most = frs_adaptation_most(request, i);
        double own_s =
                   frs_larger(frs_observations_pace(observations, client).up_s_per_byte, LEAST_S_PER_BYTE),
               ratio = mean_s / (own_s * frs_observations_factor(observations, client)), /* of rates */
            budget = at_mean * ratio * request->range.max + 0.5;
        budgets[i] = budget < request->range.min ? request->range.min
                     : budget > most             ? most
                                                 : (uint32_t)budget;
    }
}

const struct frs_adaptation frs_adaptation_proportional = {
    .plugin = {.name = "proportional",
        .summary = "in proportion to the client's uplink as observed",
        .source = "heterogeneous ranks as in Nguyen et al. 2024, section 4.4, decided by the server",
        .params = params},
    .observes = true,
    .create = create,
    .choose = choose,
};
