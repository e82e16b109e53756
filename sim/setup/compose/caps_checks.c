#include "sim/setup/compose/caps_checks.h"
#include "sim/base/settings/params.h"
#include "sim/setup/caps_first.h"

#include <math.h>

void frs_compose_check_caps(const struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *caps = frs_scenario_section(setup->scenario, "caps");
    const struct frs_spending first = frs_caps_first(setup);
    double bytes = first.down_bytes + first.up_bytes;
    char cap[32], needed[32];
    if (setup->caps.bytes < bytes)
        frs_values_error(caps, "bytes", errors,
            "%s is less than the %s that a client's first participation is expected to take, and none would "
            "be selected; allowed: at least %.0f B",
            frs_units_format(setup->caps.bytes, FRS_BYTES, cap, sizeof cap),
            frs_units_format(bytes, FRS_BYTES, needed, sizeof needed), ceil(bytes));
    if (setup->adaptation && setup->adaptation->within_caps && isinf(setup->caps.bytes))
        frs_values_error(frs_scenario_section(setup->scenario, "adaptation"), "name", errors,
            "\"%s\" goes by caps.bytes, which is unlimited; allowed: another adaptation, or a cap of bytes",
            setup->adaptation->plugin.name);
}
