#include "sim/setup/notes/staleness_note.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

/* As the method's key says, or its variant. */
static const char *rule_of(const struct frs_setup *setup) {
    const struct frs_values *method = frs_scenario_section(setup->scenario, "method");
    if (frs_learner_averaging(setup->training.learner) == FRS_AVERAGES_WEIGHTED)
        return frs_weighting_names[((const struct frs_model *)setup->training.model)->weighting];
    return frs_values_find(method, "aggregation") ? frs_values_text(method, "aggregation")
                                                  : "as the method weighs them";
}

char *frs_staleness_note(const struct frs_setup *setup) {
    if (!setup->policy->asynchronous && !setup->policy_settings.accepts_late)
        return NULL;
    return frs_format("%s versions of the tables after their download (rounds.policy.staleness); %s",
        setup->policy_settings.damps_stale ? "count by 1/√(1+s) beside their weight, s"
                                           : "count in full, however many",
        rule_of(setup));
}
