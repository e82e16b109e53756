/* Signum: m ← β m + (1−β) Δ, x ← x + η sign(m), with m = 0 at the start: a step of one size for each number,
 * in the direction that aggregates have had of late. */
#include "algorithms/optimiser.h"
#include "sim/base/settings/params.h"
#include "sim/plugins/table.h"

static const struct frs_param params[] = {
    FRS_OPTIMISER_RATE_PARAM("1e-3"), FRS_OPTIMISER_DECAY_PARAM("beta", "0.9", "momentum"), {0}};

static void init(const struct frs_values *values, struct frs_optimiser_settings *settings, float *start) {
    settings->rate = (float)frs_values_real(values, "rate");
    settings->beta1 = (float)frs_values_real(values, "beta");
    start[0] = 0;
}

static void apply(
    const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n) {
    float *m = moments.of[0];
    for (size_t i = 0; i < n; i++) {
        m[i] = settings->beta1 * m[i] + (1 - settings->beta1) * change[i];
        change[i] = settings->rate * ((float)(m[i] > 0) - (float)(m[i] < 0));
    }
}

static const struct frs_optimiser signum = {
    .plugin = {.name = "signum",
        .summary = "the sign of the momentum of aggregates, times a rate",
        .source = "Bernstein et al. 2018 (signSGD with momentum)",
        .params = params},
    .n_moments = 1,
    .flop = 6,
    .init = init,
    .apply = apply,
};

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .optimisers = (const struct frs_optimiser *const[]){&signum, NULL},
};
