/* PMF: probabilistic matrix factorisation (Mnih & Salakhutdinov 2007), in the form of RFRec's table 2. */
#include "algorithms/non_federated/pmf_model.h"
#include "sim/base/settings/param.h"

static const struct frs_param params[] = {FRS_PMF_PARAMS, {.key = NULL}};

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    return frs_epochs_fit(&frs_pmf, values, population, stopped);
}

static void destroy(void *model) {
    frs_pmf.destroy(model);
}

static void score(const void *model, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    frs_pmf.score(model, client, items, n, scores);
}

const struct frs_non_federated_model frs_non_federated_model_pmf = {
    .plugin = {.name = "pmf",
        .summary = "matrix factorisation of ratings with all clients' data in one place",
        .source = "Mnih & Salakhutdinov 2007 as in Liu et al. 2024 (RFRec), table 2",
        .params = params},
    .predicts_ratings = true,
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
