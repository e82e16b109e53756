#include "sim/setup/compose/compose_control.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/setup/compose/compose_checks.h"

#include <stdlib.h>

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

/* Takes `names`; returns it with one more. */
static char *with(char *names, const char *name) {
    char *more = frs_format("%s%s%s", names, *names ? ", " : "", name);
    free(names);
    return more;
}

/* A user who asks for sizes is told which methods and codecs have them. */
static void refuse_adaptation(const struct frs_setup *setup, const struct frs_values *adaptation) {
    char *methods = frs_strdup(""), *codecs = frs_strdup("");
    for (size_t i = 0; frs_learners[i]; i++)
        if (frs_learners[i]->budgets)
            methods = with(methods, frs_learners[i]->plugin.name);
    for (size_t i = 0; frs_codecs[i]; i++)
        if (frs_codecs[i]->budgets)
            codecs = with(codecs, frs_codecs[i]->plugin.name);
    frs_values_idle(adaptation, "name",
        "uploads of method \"%s\" under codec \"%s\" have one size; allowed: no section adaptation, or "
        "uploads "
        "of several sizes (method: %s; codec: %s)",
        setup->training.learner->plugin.name, setup->training.uplink_codec.codec->plugin.name, methods,
        codecs);
    free(methods);
    free(codecs);
}

/* The prior for a new client decides only its assigned budget and its prediction. */
static void compose_observations(struct frs_setup *setup, bool predicts) {
    const struct frs_values *observations = section(setup, "observations");
    if (!setup->observes)
        return;
    setup->observations = frs_observations_read(observations);
    bool small = setup->observations.unmeasured == FRS_UNMEASURED_SMALLEST;
    if (!predicts)
        frs_values_idle(observations, "unmeasured",
            "has no effect here: only the upload sizes that clients are assigned depend on it, and uploads "
            "have one size");
    else if (small && !setup->adaptation->observes)
        frs_values_idle(observations, "unmeasured",
            "\"smallest\" has no effect under adaptation \"%s\", which does not go by observations; allowed: "
            "optimistic, mean, or an adaptation that does (deadline, proportional)",
            setup->adaptation->plugin.name);
}

void frs_compose_control(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_selection *selection = setup->selection;
    const struct frs_values *adaptation = section(setup, "adaptation");
    struct frs_budgets budgets = frs_training_budgets(&setup->training);
    frs_compose_check_selection(setup, errors);
    if (selection->varies) /* all of them, perhaps */
        setup->policy_settings.n_selected = setup->training.data->population.n_clients;
    if (selection->create)
        setup->selection_settings = selection->create(section(setup, "rounds.selection"));
    if (selection->varies)
        setup->probability = selection->probability(setup->selection_settings);
    setup->observes = budgets.max > 0 || selection->observes;
    if (budgets.max > 0) {
        struct frs_budget_range range = {budgets.min, budgets.max};
        setup->adaptation = (const void *)frs_scenario_plugin(setup->scenario, "adaptation");
        setup->adaptation_settings = setup->adaptation->create(adaptation, &range, errors);
    } else if (frs_values_find(adaptation, "name")->given && setup->declared)
        frs_values_idle(adaptation, "name",
            "uploads of method \"declared\" have the sizes of method.up; allowed: no section adaptation");
    else if (frs_values_find(adaptation, "name")->given)
        refuse_adaptation(setup, adaptation);
    compose_observations(setup, budgets.max > 0);
}
