/* FedAdam: m ← β1 m + (1−β1) Δ, v ← β2 v + (1−β2) Δ², x ← x + η m / (√v + τ), with m = 0 and v = τ² at the
 * start and without bias correction, as in algorithm 2 of the paper. In terms of M = m/(1−β1) and V =
 * v/(1−β2), which saves two multiplications, the step is η' M / (√V + τ') with η' = η (1−β1)/√(1−β2) and τ' =
 * τ/√(1−β2). */
#include "algorithms/optimisers/adam.h"
#include "sim/base/settings/params.h"

#include <math.h>

const struct frs_param frs_optimiser_adam_params[] = {
    FRS_OPTIMISER_RATE_PARAM("0.01"),
    FRS_OPTIMISER_DECAY_PARAM("beta1", "0.9", "first moment"),
    FRS_OPTIMISER_DECAY_PARAM("beta2", "0.99", "second moment"),
    FRS_OPTIMISER_TAU_PARAM,
    {0},
};

static void init(const struct frs_values *values, struct frs_optimiser_settings *settings, float *start) {
    double beta1 = frs_values_real(values, "beta1"), beta2 = frs_values_real(values, "beta2"),
           tau = frs_values_real(values, "tau"), root = sqrt(1 - beta2);
    *settings = (struct frs_optimiser_settings){
        .rate = (float)(frs_values_real(values, "rate") * (1 - beta1) / root),
        .beta1 = (float)beta1,
        .beta2 = (float)beta2,
        .tau = (float)(tau / root),
    };
    start[0] = 0;
    start[1] = (float)(tau * tau / (1 - beta2));
}

void frs_optimiser_adam_apply(
    const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n) {
    float *m = moments.of[0], *v = moments.of[1];
    for (size_t i = 0; i < n; i++) {
        m[i] = settings->beta1 * m[i] + change[i];
        v[i] = settings->beta2 * v[i] + change[i] * change[i];
        change[i] = settings->rate * m[i] / (sqrtf(v[i]) + settings->tau);
    }
}

const struct frs_optimiser frs_optimiser_adam = {
    .plugin = {.name = "adam",
        .summary = "FedAdam: steps of a size that aggregates of the past decide, number by number",
        .source = "Reddi et al. 2021, algorithm 2",
        .params = frs_optimiser_adam_params},
    .n_moments = 2,
    .flop = 9,
    .init = init,
    .apply = frs_optimiser_adam_apply,
};
