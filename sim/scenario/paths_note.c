/* Relative paths that are not what they were before. */
#include "sim/base/memory.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>

static char *add(char *text, const struct frs_state *state, const struct frs_value *value) {
    char *key = frs_scenario_join(state->section->path, value->param->key);
    char *longer =
        frs_format(value->found == FRS_FOUND_IN_BOTH
                       ? "%s%s%s: %s, which is beside the scenario; another one is in the working folder"
                       : "%s%s%s: %s is in the working folder, and not beside the scenario",
            text ? text : "", text ? "; " : "", key, value->text);
    free(text);
    free(key);
    return longer;
}

char *frs_scenario_paths_note(const struct frs_scenario *scenario) {
    char *text = NULL;
    for (size_t i = 0; i < scenario->n; i++) {
        const struct frs_state *state = &scenario->states[i];
        for (size_t v = 0; v < state->values.n; v++)
            if (state->values.values[v].found != FRS_FOUND_PLAINLY && state->values.values[v].path)
                text = add(text, state, &state->values.values[v]);
    }
    return text;
}
