/* The section table made searchable. */
#include "sim/base/memory.h"
#include "sim/scenario/scenario_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

char *frs_scenario_join(const char *section, const char *key) {
    return *section ? frs_format("%s.%s", section, key) : frs_strdup(key);
}

static void add_selector(struct frs_state *state) {
    const struct frs_family *family = state->section->family;
    if (!family)
        return;
    size_t n = 0;
    while (family->plugins[n])
        n++;
    state->plugin_names = frs_alloc(n + 1, sizeof *state->plugin_names);
    for (size_t i = 0; i < n; i++)
        state->plugin_names[i] = family->plugins[i]->name;
    state->selector = (struct frs_param){
        .key = state->section->selector,
        .type = FRS_CHOICE,
        .initial = state->section->initial,
        .help = family->summary,
        .choices = state->plugin_names,
    };
}

/* Choice 0 is "none", so that --set can take a preset back. */
static void add_preset(struct frs_state *state) {
    const struct frs_preset_family *family = state->section->presets;
    if (!family)
        return;
    size_t n = 0;
    while (family->presets[n])
        n++;
    state->preset_names = frs_alloc(n + 2, sizeof *state->preset_names);
    state->preset_names[0] = "none";
    for (size_t i = 0; i < n; i++)
        state->preset_names[i + 1] = family->presets[i]->plugin.name;
    state->preset = (struct frs_param){
        .key = "preset",
        .type = FRS_CHOICE,
        .initial = state->section->initial_preset ? state->section->initial_preset : "none",
        .help = family->summary,
        .choices = state->preset_names,
    };
}

struct frs_scenario *frs_states_create(const struct frs_section *sections) {
    struct frs_scenario *scenario = frs_alloc(1, sizeof *scenario);
    while (sections[scenario->n].path)
        scenario->n++;
    scenario->states = frs_alloc(scenario->n, sizeof *scenario->states);
    for (size_t i = 0; i < scenario->n; i++) {
        scenario->states[i].section = &sections[i];
        scenario->states[i].values.section = frs_strdup(sections[i].path);
        add_selector(&scenario->states[i]);
        add_preset(&scenario->states[i]);
    }
    return scenario;
}

void frs_scenario_destroy(struct frs_scenario *scenario) {
    if (!scenario)
        return;
    for (size_t i = 0; i < scenario->n; i++) {
        frs_values_fini(&scenario->states[i].values);
        free(scenario->states[i].plugin_names);
        free(scenario->states[i].preset_names);
        free(scenario->states[i].where);
    }
    frs_assignments_fini(&scenario->assignments);
    free(scenario->states);
    frs_inactive_keys_fini(scenario);
    frs_puts_fini(scenario);
    free(scenario->source);
    free(scenario->path);
    free(scenario->name);
    free(scenario);
}

size_t frs_states_find(const struct frs_scenario *scenario, const char *path, size_t length) {
    for (size_t i = 0; i < scenario->n; i++) {
        const char *other = scenario->states[i].section->path;
        if (strlen(other) == length && strncmp(other, path, length) == 0)
            return i;
    }
    return SIZE_MAX;
}

bool frs_states_is_group(const struct frs_scenario *scenario, const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < scenario->n; i++) {
        const char *other = scenario->states[i].section->path;
        if (strncmp(other, path, length) == 0 && (other[length] == '\0' || other[length] == '.'))
            return true;
    }
    return false;
}

const char *frs_states_also_allow(
    const struct frs_scenario *scenario, const struct frs_assignment *assignment) {
    const struct frs_state *state = &scenario->states[assignment->section];
    bool is_open = assignment->param == &state->selector && state->section->family->is_open;
    return is_open ? ", or one that a plug-in brings (--plugin FILE)" : "";
}

bool frs_state_is_below(
    const struct frs_state *state, const struct frs_state *above, const struct frs_plugin *plugin) {
    const char *path = state->section->path, *group = above->section->path;
    size_t length = strlen(group);
    return state->section->of_plugin && strcmp(state->section->of_plugin, plugin->name) == 0 &&
           strncmp(path, group, length) == 0 && path[length] == '.';
}

bool frs_states_is_there(const struct frs_scenario *scenario, size_t i) {
    const struct frs_section *section = scenario->states[i].section;
    if (!section->of_plugin)
        return true;
    size_t above =
        frs_states_find(scenario, section->path, (size_t)(strrchr(section->path, '.') - section->path));
    const struct frs_plugin *chosen = scenario->states[above].chosen;
    return chosen && strcmp(chosen->name, section->of_plugin) == 0;
}

static const struct frs_param *find_param(const struct frs_param *params, const char *key) {
    for (; params && params->key; params++)
        if (strcmp(params->key, key) == 0)
            return params;
    return NULL;
}

const struct frs_param *frs_section_params(const struct frs_section *section) {
    return section->plugin ? section->plugin->params : section->params;
}

const struct frs_param *frs_state_own(const struct frs_state *state, const char *key) {
    if (state->selector.key && strcmp(state->selector.key, key) == 0)
        return &state->selector;
    if (state->preset.key && strcmp(state->preset.key, key) == 0)
        return &state->preset;
    return find_param(frs_section_params(state->section), key);
}

const struct frs_param *frs_plugin_param(const struct frs_plugin *plugin, const char *key) {
    return find_param(plugin->params, key);
}

const struct frs_plugin *frs_state_plugin(const struct frs_state *state, const char *name) {
    if (!state->section->family)
        return NULL;
    for (const struct frs_plugin *const *plugin = state->section->family->plugins; *plugin; plugin++)
        if (strcmp((*plugin)->name, name) == 0)
            return *plugin;
    return NULL;
}

const struct frs_plugin *frs_state_plugin_with(
    const struct frs_state *state, const char *key, const struct frs_plugin *after) {
    if (!state->section->family)
        return NULL;
    bool passed = !after;
    for (const struct frs_plugin *const *plugin = state->section->family->plugins; *plugin; plugin++) {
        if (passed && frs_plugin_param(*plugin, key))
            return *plugin;
        passed = passed || *plugin == after;
    }
    return NULL;
}

const struct frs_preset *frs_state_find_preset(const struct frs_state *state, const char *name) {
    if (!state->section->presets)
        return NULL;
    for (const struct frs_preset *const *preset = state->section->presets->presets; *preset; preset++)
        if (strcmp((*preset)->plugin.name, name) == 0)
            return *preset;
    return NULL;
}
