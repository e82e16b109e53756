#include "sim/setup/compose/non_federated_settings.h"
#include "sim/base/memory.h"
#include "sim/setup/memory_limit.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"

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

static double bytes_of(const struct frs_setup *setup, const struct frs_non_federated_model *baseline) {
    struct frs_population users = frs_data_users(setup->training.data);
    return baseline->memory_bytes
               ? baseline->memory_bytes(frs_non_federated_model_settings(setup, baseline), &users)
               : 0;
}

/* Models are kept until the last is fitted. */
double frs_non_federated_bytes(const struct frs_setup *setup) {
    double bytes = 0;
    for (size_t i = 0; frs_non_federated_model_choices(setup)[i]; i++) {
        const struct frs_non_federated_model *baseline =
            frs_non_federated_model_find(frs_non_federated_model_choices(setup)[i]);
        if (setup->training.trains && frs_non_federated_model_is_named(setup, i) &&
            baseline->predicts_ratings == setup->training.data->explicit_feedback)
            bytes += bytes_of(setup, baseline);
    }
    return bytes;
}

static enum frs_status check_settings(const struct frs_setup *setup,
    const struct frs_non_federated_model *baseline, const struct frs_values *settings,
    struct frs_errors *errors) {
    frs_values_claim(settings);
    enum frs_status status = baseline->check ? baseline->check(settings, errors) : FRS_OK;
    double bytes = bytes_of(setup, baseline), there = frs_memory_limit();
    char needed[64], most[64];
    if (bytes <= there)
        return status;
    return frs_values_error(settings, "dim", errors,
        "\"%s\" takes %s with these data, and this process may have %s; allowed: fewer dimensions, users or "
        "items",
        baseline->plugin.name, frs_units_format(bytes, FRS_BYTES, needed, sizeof needed),
        frs_units_format(there, FRS_BYTES, most, sizeof most));
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
            checked =
                check_settings(setup, baseline, frs_non_federated_model_settings(setup, baseline), errors);
            status = checked != FRS_OK ? checked : status;
        } else if (given)
            status = frs_values_error(evaluation, "non_federated", errors, "\"%s\" needs %s feedback",
                baseline->plugin.name, baseline->predicts_ratings ? "explicit" : "implicit");
    }
    return status;
}
