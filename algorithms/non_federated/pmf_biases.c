/* PMF with biases: what RFRec's table 2 prints as SVD++ (its published code has no implicit term). */
#include "algorithms/non_federated/pmf_model.h"
#include "sim/base/settings/param.h"

static const struct frs_param params[] = {FRS_PMF_PARAMS, {.key = NULL}};

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    return frs_epochs_fit(&frs_pmf_with_biases, values, population, stopped);
}

static void destroy(void *model) {
    frs_pmf_with_biases.destroy(model);
}

static void score(const void *model, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    frs_pmf_with_biases.score(model, client, items, n, scores);
}

const struct frs_non_federated_model frs_non_federated_model_pmf_biases = {
    .plugin = {.name = "pmf_biases",
        .summary = "the same with biases, which is what RFRec's table 2 calls SVD++",
        .source = "Liu et al. 2024 (RFRec), table 2, published code",
        .params = params},
    .predicts_ratings = true,
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
