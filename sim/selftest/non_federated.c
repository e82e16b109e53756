/* What every non-federated baseline is held to: finite scores that follow from the data. */
#include "algorithms/non_federated.h"
#include "sim/selftest/kinds.h"
#include "sim/selftest/subject.h"

#include <math.h>
#include <string.h>

#define NON_FEDERATED_H "algorithms/non_federated.h, "

enum { CLIENTS = FRS_SUBJECT_CLIENTS, ITEMS = FRS_SUBJECT_ITEMS };

static void *fit(struct frs_check *check, const struct frs_non_federated_model *baseline,
    const struct frs_population *population, const atomic_bool *stopped) {
    struct frs_values values = frs_trial_values(check, &baseline->plugin, NULL);
    void *model = baseline->fit(&values, population, stopped);
    frs_clause(check, NON_FEDERATED_H "fit", "fit gives a model");
    FRS_HOLDS(check, model, "it gives NULL");
    frs_values_fini(&values);
    return model;
}

static void score_all(
    const struct frs_non_federated_model *baseline, const void *model, uint32_t client, float *scores) {
    uint32_t items[ITEMS];
    for (uint32_t i = 0; i < ITEMS; i++)
        items[i] = i;
    baseline->score(model, client, items, ITEMS, scores);
}

static void check_scores(struct frs_check *check, const struct frs_non_federated_model *baseline,
    const void *model, const void *again) {
    bool differ = false;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        float scores[ITEMS], others[ITEMS], one;
        score_all(baseline, model, client, scores);
        score_all(baseline, again, client, others);
        for (uint32_t item = 0; item < ITEMS; item++) {
            frs_clause(check, NON_FEDERATED_H "score", "scores are finite");
            FRS_HOLDS(check, isfinite(scores[item]), "that of item %u for client %u is %g", item, client,
                (double)scores[item]);
            frs_clause(check, NON_FEDERATED_H "fit", "the same data give the same scores");
            FRS_HOLDS(check, frs_are_same(&scores[item], &others[item], sizeof *scores),
                "that of item %u for client %u is %.9g, and %.9g", item, client, (double)scores[item],
                (double)others[item]);
            differ |= scores[item] != scores[0];
        }
        baseline->score(model, client, (const uint32_t[]){ITEMS / 2}, 1, &one);
        frs_clause(check, NON_FEDERATED_H "score", "an item scores the same alone and among others");
        FRS_HOLDS(check, one == scores[ITEMS / 2], "%.9g and %.9g for client %u", (double)one,
            (double)scores[ITEMS / 2], client);
    }
    frs_clause(check, NON_FEDERATED_H "score", "items score differently");
    FRS_HOLDS(check, differ, "every item scores the same");
}

struct keys {
    const struct frs_non_federated_model *baseline;
    const struct frs_population *population;
};

static void fit_and_destroy(void *context, const struct frs_values *values) {
    const struct keys *keys = context;
    void *model = keys->baseline->fit(values, keys->population, NULL);
    if (model)
        keys->baseline->destroy(model);
}

void frs_check_non_federated(struct frs_check *check, const struct frs_plugin *plugin) {
    /* The plug-in is the first member of its baseline. */
    const struct frs_non_federated_model *baseline =
        (const struct frs_non_federated_model *)(const void *)plugin;
    struct frs_population population = frs_random_population(CLIENTS, ITEMS, 11, baseline->predicts_ratings);
    struct keys keys = {baseline, &population};
    static const atomic_bool stopped = true;
    const struct frs_key_reader reader = {
        .where = NON_FEDERATED_H "fit", .read = fit_and_destroy, .context = &keys};
    frs_check_keys(check, plugin, &reader);
    void *model = fit(check, baseline, &population, NULL), *again = fit(check, baseline, &population, NULL);
    check_scores(check, baseline, model, again);
    baseline->destroy(model);
    baseline->destroy(again);
    frs_clause(check, NON_FEDERATED_H "fit", "a fit that is stopped gives a model that can be destroyed");
    baseline->destroy(fit(check, baseline, &population, &stopped));
    frs_random_population_fini(&population);
}
