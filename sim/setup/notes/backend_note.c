#include "sim/setup/notes/backend_note.h"
#include "actors/backend.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct frs_values *engine_of(const struct frs_setup *setup) {
    return frs_scenario_section(setup->scenario, "engine");
}

static bool is_chosen(const struct frs_setup *setup) {
    return strcmp(frs_values_text(engine_of(setup), "backend"), "auto") != 0;
}

/* Why `auto` has taken actors or the calendar. */
static char *reason(const struct frs_setup *setup) {
    const char *key = setup->training.trains ? "actors_limit" : "actors_limit_messages";
    int64_t limit = frs_values_int(engine_of(setup), key);
    if (is_chosen(setup))
        return frs_strdup("engine.backend");
    if (setup->backend == &frs_backend_actors)
        return frs_format("up to engine.%s, %lld", key, (long long)limit);
    return setup->policy_settings.n_selected > limit
               ? frs_format("more than engine.%s, %lld", key, (long long)limit)
               : frs_strdup("with those of earlier rounds more than SimGrid has actors for");
}

char *frs_backend_note(const struct frs_setup *setup) {
    if (setup->backend == &frs_backend_simgrid)
        return frs_format("simgrid, actors and SimGrid's own solver (%s)", is_chosen(setup) ? "engine.backend"
                                                                           : setup->platform.file
                                                                               ? "platform.file"
                                                                               : "network.model");
    if (setup->backend != &frs_backend_actors && setup->backend != &frs_backend_calendar)
        return NULL; /* emulated */
    char *why = reason(setup);
    char *text = frs_format(setup->backend == &frs_backend_actors
                                ? "actors, one of SimGrid's for each of %zu clients a round (%s)"
                                : "calendar, one for all of %zu clients a round (%s)",
        (size_t)setup->policy_settings.n_selected, why);
    free(why);
    return text;
}
