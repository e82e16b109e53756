/* FedAvgM: m ← β m + Δ, x ← x + η m, with m = 0 at the start. */
#include "algorithms/optimiser.h"
#include "sim/base/settings/params.h"

static const struct frs_param params[] = {
    FRS_OPTIMISER_RATE_PARAM("1"), FRS_OPTIMISER_DECAY_PARAM("beta", "0.9", "momentum"), {0}};

static void init(const struct frs_values *values, struct frs_optimiser_settings *settings, float *start) {
    settings->rate = (float)frs_values_real(values, "rate");
    settings->beta1 = (float)frs_values_real(values, "beta");
    start[0] = 0;
}

static void apply(
    const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n) {
    float *m = moments.of[0];
    for (size_t i = 0; i < n; i++) {
        m[i] = settings->beta1 * m[i] + change[i];
        change[i] = settings->rate * m[i];
    }
}

const struct frs_optimiser frs_optimiser_momentum = {
    .plugin = {.name = "momentum",
        .summary = "FedAvgM: aggregates gather momentum",
        .source = "Hsu, Qi & Brown 2019; Reddi et al. 2021",
        .params = params},
    .n_moments = 1,
    .flop = 3,
    .init = init,
    .apply = apply,
};
