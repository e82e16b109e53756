/* What the compiler cannot check about a section table. */
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/scenario/scenario_internal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Names libconfig can read, and that a dotted path can hold. */
static bool is_name(const char *text) {
    size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    return letters > 0 && text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

static void check_param(const char *section, const struct frs_param *param, struct frs_errors *errors) {
    char reason[1024];
    if (!is_name(param->key))
        frs_errors_add(errors, FRS_ERR_INPUT, "%s.%s: is not a name", section, param->key);
    if (!param->help || !*param->help)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s.%s: has no help", section, param->key);
    if ((unsigned)param->type > FRS_INTS ||
        (param->type == FRS_QUANTITY && (unsigned)param->dimension >= FRS_DIMENSIONS)) {
        frs_errors_add(
            errors, FRS_ERR_INPUT, "%s.%s: is of no type, or of no dimension", section, param->key);
        return;
    }
    bool has_choices = param->type == FRS_CHOICE || param->type == FRS_LIST;
    if (has_choices && !param->choices) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s.%s: has no choices", section, param->key);
        return;
    }
    struct frs_value value = {.param = param};
    if (!param->initial)
        return;
    if (frs_param_parse(param, param->initial, &value, reason, sizeof reason) != FRS_OK)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s.%s: default: %s", section, param->key, reason);
    else if (frs_type_is_text(param->type))
        free(value.text);
}

static void check_params(const char *section, const struct frs_param *params, struct frs_errors *errors) {
    for (const struct frs_param *param = params; param && param->key; param++) {
        check_param(section, param, errors);
        for (const struct frs_param *other = params; other < param; other++)
            if (strcmp(other->key, param->key) == 0)
                frs_errors_add(errors, FRS_ERR_INPUT, "%s.%s: is described twice", section, param->key);
    }
}

/* A plug-in's keys share a namespace with those of its section, and its name with the sections below.
 * Reports names that already exist. */
static void check_plugin(const struct frs_scenario *all, const struct frs_state *state,
    const struct frs_plugin *plugin, struct frs_errors *errors) {
    char *group = frs_scenario_join(state->section->path, plugin->name);
    if (!is_name(plugin->name))
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: is not a name", group);
    if (!plugin->summary || !*plugin->summary)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no summary", group);
    if (frs_state_own(state, plugin->name) || frs_states_is_group(all, group))
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: the name of a plug-in is also a key or a section", group);
    check_params(group, plugin->params, errors);
    for (const struct frs_param *param = plugin->params; param && param->key; param++)
        if (frs_state_own(state, param->key))
            frs_errors_add(errors, FRS_ERR_INPUT, "%s.%s: is also a key of the section", group, param->key);
    free(group);
}

static void check_family(
    const struct frs_scenario *all, const struct frs_state *state, struct frs_errors *errors) {
    const struct frs_section *section = state->section;
    for (const struct frs_plugin *const *plugin = section->family->plugins; *plugin; plugin++)
        check_plugin(all, state, *plugin, errors);
    if (!section->selector)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: has plug-ins but no selector", section->path);
    else if (section->initial && !frs_state_plugin(state, section->initial))
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: there is no plug-in %s", section->path, section->initial);
}

/* Each preset on its own, on top of the defaults. */
static void check_preset(
    const struct frs_section *sections, const struct frs_preset *preset, struct frs_errors *errors) {
    struct frs_scenario *scenario = frs_states_create(sections);
    for (size_t i = 0; preset->settings[i][0]; i++) {
        char *where = frs_format("preset %s", preset->plugin.name);
        frs_assignments_add(&scenario->assignments, FRS_LAYER_SET, preset->settings[i][0], FRS_WRITTEN_PLAIN,
            preset->settings[i][1], where);
        frs_assignments_locate(scenario, scenario->assignments.n - 1);
        free(where);
    }
    if (frs_scenario_resolve_given(scenario, errors) != FRS_OK)
        frs_errors_add(errors, FRS_ERR_INPUT, "preset %s: does not work", preset->plugin.name);
    frs_scenario_destroy(scenario);
}

enum frs_status frs_sections_check(const struct frs_section *sections, struct frs_errors *errors) {
    struct frs_scenario *all = frs_states_create(sections);
    for (size_t i = 0; i < all->n; i++) {
        const struct frs_state *state = &all->states[i];
        const struct frs_section *section = state->section;
        if (frs_states_find(all, section->path, strlen(section->path)) != i)
            frs_errors_add(errors, FRS_ERR_INPUT, "%s: is in the table twice", section->path);
        if (!section->help || !*section->help)
            frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no help", section->path);
        check_params(section->path, frs_section_params(section), errors);
        if (section->family)
            check_family(all, state, errors);
        if (section->initial_preset && !frs_state_find_preset(state, section->initial_preset))
            frs_errors_add(
                errors, FRS_ERR_INPUT, "%s: there is no preset %s", section->path, section->initial_preset);
        for (size_t p = 0; section->presets && section->presets->presets[p]; p++)
            check_preset(sections, section->presets->presets[p], errors);
    }
    frs_scenario_destroy(all);
    return errors->n > 0 ? FRS_ERR_INPUT : FRS_OK;
}
