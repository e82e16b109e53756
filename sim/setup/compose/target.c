#include "sim/setup/compose/target.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_MARGIN 0.03

static bool reports(const struct frs_setup *setup, const char *name) {
    const struct frs_values *evaluation = frs_scenario_section(setup->scenario, "evaluation");
    const char *const *choices = frs_values_find(evaluation, "non_federated")->param->choices;
    for (size_t i = 0; choices[i]; i++)
        if (strcmp(choices[i], name) == 0)
            return setup->baselines >> i & 1;
    return false;
}

/* The figure of this name among those of ranked items or of predicted ratings, as the run has; NULL: there is
 * none. `figures` is filled in. */
static const struct frs_score_figure *find_figure(const struct frs_setup *setup,
    const struct frs_scores *scores, const char *name, struct frs_score_figure figures[FRS_FIGURES_MOST]) {
    size_t n = frs_scores_figures(scores, &setup->ranking, figures);
    for (size_t i = 0; i < n; i++)
        if (figures[i].predicts == setup->training.data->explicit_feedback &&
            strcmp(figures[i].name, name) == 0)
            return &figures[i];
    return NULL;
}

/* Whether a run of this kind fills the target's column of rounds.csv. */
static bool measures(const struct frs_setup *setup, const struct frs_target_spec *target_spec) {
    const struct frs_scores none = frs_no_scores();
    struct frs_score_figure figures[FRS_FIGURES_MOST];
    if (setup->training.data->explicit_feedback &&
        strncmp(target_spec->metric, "participants_", strlen("participants_")) == 0)
        return false;
    return find_figure(setup, &none, frs_target_spec_quality(target_spec), figures);
}

static enum frs_status check(
    const struct frs_setup *setup, const struct frs_target_spec *target_spec, struct frs_errors *errors) {
    const struct frs_values *evaluation = frs_scenario_section(setup->scenario, "evaluation");
    if (!measures(setup, target_spec))
        return frs_values_error(evaluation, "target", errors, "%s is not measured in this run; allowed: %s",
            target_spec->metric,
            setup->training.data->explicit_feedback
                ? "mae and rmse, maybe with test. in front"
                : "auc, and hr@K, ndcg@K, recall@K, precision@K, mrr@K "
                  "and map@K with a cut-off of evaluation.k for K, maybe with "
                  "test. or participants_ in front");
    if (target_spec->non_federated && !reports(setup, target_spec->non_federated))
        return frs_values_error(evaluation, "target", errors,
            "evaluation.non_federated does not have \"%s\", which the target is relative to",
            target_spec->non_federated);
    return FRS_OK;
}

enum frs_status frs_target_spec_of_setup(
    const struct frs_setup *setup, struct frs_target_spec *target_spec, struct frs_errors *errors) {
    const struct frs_values *evaluation = frs_scenario_section(setup->scenario, "evaluation");
    const char *text = frs_values_text(evaluation, "target");
    struct frs_errors found = {0};
    *target_spec = (struct frs_target_spec){0};
    if (strcmp(text, "none") == 0)
        return FRS_OK;
    if (!*text) {
        if (!setup->training.data->explicit_feedback && reports(setup, "popularity"))
            *target_spec = (struct frs_target_spec){.metric = frs_format("hr@%zu", setup->k),
                .non_federated = frs_strdup("popularity"),
                .bar = DEFAULT_MARGIN};
        if (setup->training.data->explicit_feedback && reports(setup, "item_mean"))
            *target_spec = (struct frs_target_spec){
                .metric = frs_strdup("rmse"), .non_federated = frs_strdup("item_mean"), .lower = true};
        return FRS_OK;
    }
    enum frs_status status = frs_target_spec_parse(text, target_spec, &found);
    if (status != FRS_OK)
        status = frs_values_error(evaluation, "target", errors, "%s", found.lines[0]);
    else
        status = check(setup, target_spec, errors);
    if (status != FRS_OK)
        frs_target_spec_fini(target_spec);
    frs_errors_clear(&found);
    return status;
}

/* Whether users have validation items: then they have them in every evaluation. */
static bool has_validation(const struct frs_setup *setup) {
    struct frs_population users = frs_data_users(setup->training.data);
    return setup->training.data->validation.start[users.n_clients] > 0;
}

static bool starts(const char **text, const char *with) {
    size_t length = strlen(with);
    bool does = strncmp(*text, with, length) == 0;
    *text += does ? length : 0;
    return does;
}

bool frs_target_is_reached(const struct frs_setup *setup, const struct frs_quality *quality) {
    const struct frs_target_spec *target_spec = &setup->target;
    char *column = frs_target_spec_column(target_spec, has_validation(setup));
    const char *metric = column;
    const struct frs_scores *scores = starts(&metric, "validation_")     ? &quality->validation
                                      : starts(&metric, "participants_") ? &quality->participants
                                                                         : &quality->test;
    struct frs_score_figure figures[FRS_FIGURES_MOST];
    const struct frs_score_figure *figure = find_figure(setup, scores, metric, figures);
    double value = figure ? figure->value : NAN;
    free(column);
    return target_spec->lower ? value <= target_spec->bar
                              : value >= target_spec->bar; /* neither where nothing was measured */
}
