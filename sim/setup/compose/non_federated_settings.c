#include "sim/setup/compose/non_federated_settings.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

bool frs_non_federated_model_is_named(const struct frs_setup *setup, size_t i) {
    return setup->baselines >> i & 1;
}

const char *const *frs_non_federated_model_choices(const struct frs_setup *setup) {
    return frs_values_find(frs_scenario_section(setup->scenario, "evaluation"), "non_federated")
        ->param->choices;
}

const struct frs_values *frs_non_federated_model_settings(
    const struct frs_setup *setup, const struct frs_non_federated_model *baseline) {
    char *path = frs_format("evaluation.%s", baseline->plugin.name);
    const struct frs_values *settings = frs_scenario_section(setup->scenario, path);
    free(path);
    return settings;
}

/* Without training there is no evaluation either: a scenario that is run only for its times may keep its
 * section `evaluation`, whatever it contains. */
static void claim_evaluation(const struct frs_setup *setup) {
    frs_values_claim(frs_scenario_section(setup->scenario, "evaluation"));
    for (size_t i = 0; frs_non_federated_model_choices(setup)[i]; i++)
        frs_values_claim(frs_non_federated_model_settings(
            setup, frs_non_federated_model_find(frs_non_federated_model_choices(setup)[i])));
}

static enum frs_status check_settings(const struct frs_non_federated_model *baseline,
    const struct frs_values *settings, struct frs_errors *errors) {
    frs_values_claim(settings);
    return baseline->check ? baseline->check(settings, errors) : FRS_OK;
}

enum frs_status frs_non_federated_check(const struct frs_setup *setup, struct frs_errors *errors) {
    enum frs_status status = FRS_OK, checked;
    const struct frs_values *evaluation = frs_scenario_section(setup->scenario, "evaluation");
    if (!setup->training.trains) {
        claim_evaluation(setup);
        return FRS_OK;
    }
    bool given = frs_values_find(evaluation, "non_federated")->given;
    for (size_t i = 0; frs_non_federated_model_choices(setup)[i]; i++) {
        const struct frs_non_federated_model *baseline =
            frs_non_federated_model_find(frs_non_federated_model_choices(setup)[i]);
        if (!frs_non_federated_model_is_named(setup, i))
            continue;
        if (baseline->predicts_ratings == setup->training.data->explicit_feedback) {
            checked = check_settings(baseline, frs_non_federated_model_settings(setup, baseline), errors);
            status = checked != FRS_OK ? checked : status;
        } else if (given)
            status = frs_values_error(evaluation, "non_federated", errors, "\"%s\" needs %s feedback",
                baseline->plugin.name, baseline->predicts_ratings ? "explicit" : "implicit");
    }
    return status;
}
