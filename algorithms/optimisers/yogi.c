/* FedYogi: m ← β1 m + (1−β1) Δ, v ← v − (1−β2) Δ² sign(v − Δ²), x ← x + η m / (√v + τ), with m = 0 and v =
 * τ² at the start. v falls only by a little at a time, even when it is much larger than Δ². */
#include "algorithms/optimisers/adam.h"
#include "sim/base/settings/params.h"

#include <math.h>

static void init(const struct frs_values *values, struct frs_optimiser_settings *settings, float *start) {
    double tau = frs_values_real(values, "tau");
    *settings = (struct frs_optimiser_settings){
        .rate = (float)frs_values_real(values, "rate"),
        .beta1 = (float)frs_values_real(values, "beta1"),
        .beta2 = (float)frs_values_real(values, "beta2"),
        .tau = (float)tau,
    };
    start[0] = 0;
    start[1] = (float)(tau * tau);
}

/* v stays above zero: where it falls, it is larger than the Δ² of which it loses a share. */
static void apply(
    const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n) {
    float *m = moments.of[0], *v = moments.of[1];
    for (size_t i = 0; i < n; i++) {
        float square = change[i] * change[i], sign = (float)(v[i] > square) - (float)(v[i] < square);
        m[i] = settings->beta1 * m[i] + (1 - settings->beta1) * change[i];
        v[i] -= (1 - settings->beta2) * square * sign;
        change[i] = settings->rate * m[i] / (sqrtf(v[i]) + settings->tau);
    }
}

const struct frs_optimiser frs_optimiser_yogi = {
    .plugin = {.name = "yogi",
        .summary = "FedYogi: FedAdam whose second moment falls slowly",
        .source = "Reddi et al. 2021, algorithm 2",
        .params = frs_optimiser_adam_params},
    .n_moments = 2,
    .flop = 14,
    .init = init,
    .apply = apply,
};
