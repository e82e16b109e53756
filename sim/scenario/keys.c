/* Keys and their values by name, for completion on a command line. */
#include "sim/base/memory.h"
#include "sim/scenario/explain.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

static void tell(const struct frs_state *state, const struct frs_plugin *plugin,
    const struct frs_param *param, frs_key_sink *sink, void *context) {
    char *inside = plugin ? frs_format("%s.%s", plugin->name, param->key) : frs_strdup(param->key),
         *key = frs_scenario_join(state->section->path, inside);
    sink(context, key, param);
    free(key);
    free(inside);
}

void frs_explain_each_key(const struct frs_section *sections, frs_key_sink *sink, void *context) {
    struct frs_scenario *all = frs_states_create(sections);
    for (size_t i = 0; i < all->n; i++) {
        const struct frs_state *state = &all->states[i];
        const struct frs_family *family = state->section->family;
        if (state->preset.key)
            tell(state, NULL, &state->preset, sink, context);
        if (state->selector.key)
            tell(state, NULL, &state->selector, sink, context);
        for (const struct frs_param *param = frs_section_params(state->section); param && param->key; param++)
            tell(state, NULL, param, sink, context);
        for (const struct frs_plugin *const *plugin = family ? family->plugins : NULL; plugin && *plugin;
             plugin++)
            for (const struct frs_param *param = (*plugin)->params; param && param->key; param++)
                tell(state, *plugin, param, sink, context);
    }
    frs_scenario_destroy(all);
}
