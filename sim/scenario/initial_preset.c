/* Which sections have what a preset says that is taken by default. */
#include "sim/base/memory.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

/* The section above this one; SIZE_MAX: there is none. */
static size_t section_above(const struct frs_scenario *scenario, const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? frs_states_find(scenario, path, (size_t)(dot - path)) : SIZE_MAX;
}

/* Whether a value is what this text would set. */
static bool says(const struct frs_value *value, const char *text) {
    char reason[8];
    struct frs_value other = {.param = value->param};
    if (!value->set || frs_param_parse(value->param, text, &other, reason, sizeof reason) != FRS_OK)
        return false;
    char *own = frs_value_format(value), *others = frs_value_format(&other);
    bool same = strcmp(own, others) == 0;
    free(own);
    free(others);
    if (frs_type_is_text(value->param->type))
        free(other.text);
    return same;
}

const struct frs_preset *frs_scenario_initial_preset(const struct frs_scenario *scenario, const char *path) {
    size_t above = section_above(scenario, path), n = 0, length = strlen(path);
    const struct frs_state *state = above == SIZE_MAX ? NULL : &scenario->states[above];
    const struct frs_preset *preset = state && state->section->initial_preset
                                          ? frs_state_find_preset(state, state->section->initial_preset)
                                          : NULL;
    const struct frs_values *values = frs_scenario_section(scenario, path);
    for (size_t i = 0; preset && preset->settings[i][0]; i++) {
        const char *key = preset->settings[i][0];
        if (strncmp(key, path, length) != 0 || key[length] != '.')
            continue;
        const struct frs_value *value = frs_values_find(values, key + length + 1);
        if (!value || !says(value, preset->settings[i][1]))
            return NULL;
        n++;
    }
    return n > 0 ? preset : NULL;
}
