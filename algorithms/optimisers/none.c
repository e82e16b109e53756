/* No optimiser: x ← x + η Δ. With η = 1 the aggregate is unchanged; otherwise η is the server's learning
 * rate of FedAvg, and FedBuff's η_g. */
#include "algorithms/optimiser.h"
#include "sim/base/settings/params.h"

static const struct frs_param params[] = {FRS_OPTIMISER_RATE_PARAM("1"), {0}};

static void init(const struct frs_values *values, struct frs_optimiser_settings *settings, float *start) {
    (void)start;
    settings->rate = (float)frs_values_real(values, "rate");
}

static void apply(
    const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n) {
    (void)moments;
    for (size_t i = 0; i < n; i++)
        change[i] *= settings->rate;
}

const struct frs_optimiser frs_optimiser_none = {
    .plugin = {.name = "none",
        .summary = "the aggregate itself, times a rate",
        .source = "McMahan et al. 2017 (FedAvg); the rate as in Reddi et al. 2021, algorithm 1",
        .params = params},
    .flop = 1,
    .init = init,
    .apply = apply,
};
