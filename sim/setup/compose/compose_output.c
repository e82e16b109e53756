#include "sim/setup/compose/compose_output.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"

void frs_compose_output(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *output = frs_scenario_section(setup->scenario, "output");
    const char *directory = frs_values_path(output, "directory", errors);
    setup->events = frs_values_bool(output, "events");
    if (setup->events)
        setup->events_every = (uint32_t)frs_values_int(output, "events_every");
    else
        frs_values_idle(output, "events_every", "has no effect here, because output.events is false");
    setup->what_ifs = (enum frs_what_if_wish)frs_values_choice(output, "what_if");
    setup->report = frs_values_bool(output, "report");
    setup->checkpoint_rounds = (uint32_t)frs_values_int(output, "checkpoint_rounds");
    setup->checkpoint_interval_s = frs_values_real(output, "checkpoint_interval");
    setup->directory = directory && *directory
                           ? frs_strdup(directory)
                           : frs_format("results/%s-seed%llu", frs_scenario_name(setup->scenario),
                                 (unsigned long long)setup->training.seed);
}
