#include "sim/results/verdict.h"

#include <math.h>
#include <string.h>

static const struct frs_scores *scores_of(
    const struct frs_non_federated_model_results *baselines, const char *name) {
    for (size_t i = 0; i < baselines->n; i++)
        if (strcmp(baselines->results[i].name, name) == 0)
            return &baselines->results[i].quality.test;
    return NULL;
}

struct frs_verdict frs_verdict(const struct frs_outputs *outputs) {
    bool ratings = outputs->setup->training.data->explicit_feedback;
    const char *name = ratings ? "item_mean" : "popularity";
    const struct frs_scores *bar = scores_of(outputs->baselines, name), *last = &outputs->result->last.test;
    if (!outputs->evaluation || !bar)
        return (struct frs_verdict){0};
    struct frs_verdict verdict = {.baseline = name,
        .metric = ratings ? "rmse" : "hr",
        .value = ratings ? last->rmse : frs_scores_hit(last),
        .bar = ratings ? bar->rmse : frs_scores_hit(bar)};
    if (!isfinite(verdict.value) || !isfinite(verdict.bar))
        return (struct frs_verdict){0};
    verdict.better = ratings ? verdict.value < verdict.bar : verdict.value > verdict.bar;
    return verdict;
}
