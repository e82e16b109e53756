#include "actors/policies/late.h"
#include "sim/base/settings/params.h"

enum late { LATE_REJECT, LATE_ACCEPT };
const char *const frs_late_names[] = {[LATE_REJECT] = "reject", [LATE_ACCEPT] = "accept", NULL};

void frs_late_read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings) {
    settings->accepts_late = setup->run_on && frs_values_choice(values, "late") == LATE_ACCEPT;
    if (!settings->accepts_late)
        return;
    settings->late_rounds = (uint32_t)frs_values_int(values, "late_rounds");
    settings->damps_stale = frs_staleness_damps(values);
}
