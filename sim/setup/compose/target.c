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

/* Whether a run of this kind fills the target's column of rounds.csv. */
static bool measures(const struct frs_setup *setup, const struct frs_target_spec *target_spec) {
    const char *quality = frs_target_spec_quality(target_spec);
    if (setup->training.data->explicit_feedback)
        return strncmp(target_spec->metric, "participants_", strlen("participants_")) != 0 &&
               (strcmp(quality, "mae") == 0 || strcmp(quality, "rmse") == 0);
    static const char *const ranking[] = {"hr", "ndcg"};
    bool found = false;
    for (size_t i = 0; i < 2 && !found; i++) {
        char *name = frs_format("%s@%zu", ranking[i], setup->k);
        found = strcmp(quality, name) == 0;
        free(name);
    }
    return found;
}

static enum frs_status check(
    const struct frs_setup *setup, const struct frs_target_spec *target_spec, struct frs_errors *errors) {
    const struct frs_values *evaluation = frs_scenario_section(setup->scenario, "evaluation");
    if (!measures(setup, target_spec))
        return frs_values_error(evaluation, "target", errors, "%s is not measured in this run; allowed: %s",
            target_spec->metric,
            setup->training.data->explicit_feedback ? "mae and rmse, maybe with test. in front"
                                                    : "hr@K and ndcg@K with evaluation.k for K, maybe with "
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
    double value = *metric == 'h'   ? scores->hit
                   : *metric == 'n' ? scores->ndcg
                   : *metric == 'm' ? scores->mae
                                    : scores->rmse;
    free(column);
    return target_spec->lower ? value <= target_spec->bar
                              : value >= target_spec->bar; /* neither where nothing was measured */
}
