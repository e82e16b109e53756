/* `fedrecsim explain --json` and `fedrecsim list --json`: the section table for programs. */
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/scenario/explain.h"
#include "sim/scenario/scenario_internal.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void set_text(json_t *object, const char *key, const char *text) {
    json_object_set_new(object, key, text ? json_string(text) : json_null());
}

/* ---- keys ---- */

static const char *type_name(enum frs_type type) {
    static const char *const names[] = {[FRS_BOOL] = "bool",
        [FRS_INT] = "integer",
        [FRS_REAL] = "real",
        [FRS_TEXT] = "text",
        [FRS_CHOICE] = "choice",
        [FRS_LIST] = "list",
        [FRS_TEXTS] = "texts",
        [FRS_QUANTITY] = "quantity",
        [FRS_SHARE] = "share",
        [FRS_INTS] = "integers"};
    return names[type];
}

/* null: unbounded. */
static void set_bounds(json_t *object, const struct frs_param *param) {
    bool has_bounds = (param->type == FRS_INT || param->type == FRS_INTS || param->type == FRS_REAL ||
                          param->type == FRS_QUANTITY) &&
                      param->min < param->max;
    json_object_set_new(
        object, "min", has_bounds && isfinite(param->min) ? json_real(param->min) : json_null());
    json_object_set_new(
        object, "max", has_bounds && isfinite(param->max) ? json_real(param->max) : json_null());
}

static json_t *choices_of(const struct frs_param *param) {
    if ((param->type != FRS_CHOICE && param->type != FRS_LIST) || !param->choices)
        return json_null();
    json_t *list = json_array();
    for (const char *const *choice = param->choices; *choice; choice++)
        json_array_append_new(list, json_string(*choice));
    return list;
}

static json_t *key_object(const struct frs_param *param) {
    char allowed[1024];
    json_t *object = json_object();
    set_text(object, "key", param->key);
    set_text(object, "type", type_name(param->type));
    set_text(object, "unit", param->type == FRS_QUANTITY ? frs_units_si(param->dimension) : NULL);
    set_text(object, "allowed", frs_param_allowed(param, allowed, sizeof allowed));
    set_text(object, "default", param->initial);
    set_bounds(object, param);
    json_object_set_new(object, "choices", choices_of(param));
    json_object_set_new(object, "by_class", json_boolean(param->by_class));
    set_text(object, "meaning", param->help ? param->help : "");
    return object;
}

/* Those called `only`, or with NULL all of them. */
static void add_keys(json_t *list, const struct frs_param *params, const char *only) {
    for (; params && params->key; params++)
        if (!only || strcmp(params->key, only) == 0)
            json_array_append_new(list, key_object(params));
}

/* ---- plug-ins and presets ---- */

static json_t *plugin_object(const struct frs_plugin *plugin) {
    json_t *object = json_object();
    set_text(object, "name", plugin->name);
    set_text(object, "summary", plugin->summary);
    set_text(object, "source", plugin->source);
    return object;
}

static json_t *plugin_with_keys(const struct frs_plugin *plugin, const char *only) {
    json_t *object = plugin_object(plugin), *keys = json_array();
    add_keys(keys, plugin->params, only);
    json_object_set_new(object, "keys", keys);
    return object;
}

static json_t *preset_object(const struct frs_preset *preset) {
    json_t *object = plugin_object(&preset->plugin), *settings = json_object();
    for (size_t i = 0; preset->settings[i][0]; i++)
        set_text(settings, preset->settings[i][0], preset->settings[i][1]);
    json_object_set_new(object, "settings", settings);
    return object;
}

/* ---- sections ---- */

/* What is asked of a section: all of it, or what goes by a name. */
struct asked {
    const char *key;    /* of the section or its plug-ins; NULL: none */
    const char *plugin; /* a plug-in or preset; with `key`, the one whose key is meant; NULL: none */
    bool all;
};

static bool is_called(const char *name, const char *asked) {
    return asked && strcmp(name, asked) == 0;
}

static json_t *keys_of(const struct frs_state *state, const struct asked *asked) {
    json_t *keys = json_array();
    const char *only = asked->all ? NULL : asked->key;
    if (!asked->all && (!asked->key || asked->plugin))
        return keys;
    if (state->preset.key && (!only || is_called(state->preset.key, only)))
        json_array_append_new(keys, key_object(&state->preset));
    if (state->selector.key && (!only || is_called(state->selector.key, only)))
        json_array_append_new(keys, key_object(&state->selector));
    add_keys(keys, frs_section_params(state->section), only);
    return keys;
}

static json_t *plugins_of(const struct frs_state *state, const struct asked *asked) {
    json_t *list = json_array();
    const struct frs_family *family = state->section->family;
    for (size_t i = 0; family && family->plugins[i]; i++) {
        const struct frs_plugin *plugin = family->plugins[i];
        bool named = !asked->plugin || is_called(plugin->name, asked->plugin);
        if (asked->all || (named && !asked->key))
            json_array_append_new(list, plugin_with_keys(plugin, NULL));
        else if (named && frs_plugin_param(plugin, asked->key))
            json_array_append_new(list, plugin_with_keys(plugin, asked->key));
    }
    return list;
}

static json_t *presets_of(const struct frs_state *state, const struct asked *asked) {
    json_t *list = json_array();
    const struct frs_preset_family *family = state->section->presets;
    for (size_t i = 0; family && family->presets[i]; i++)
        if (asked->all || (!asked->key && is_called(family->presets[i]->plugin.name, asked->plugin)))
            json_array_append_new(list, preset_object(family->presets[i]));
    return list;
}

/* Nothing where the section has nothing of what is asked. */
static void add_section(json_t *sections, const struct frs_state *state, const struct asked *asked) {
    const struct frs_section *section = state->section;
    json_t *keys = keys_of(state, asked), *plugins = plugins_of(state, asked),
           *presets = presets_of(state, asked);
    json_t *object = json_object();
    bool any = asked->all || json_array_size(keys) + json_array_size(plugins) + json_array_size(presets) > 0;
    set_text(object, "path", section->path);
    set_text(object, "meaning", section->help);
    set_text(object, "short_form", section->shorthand);
    set_text(object, "kind", section->family ? section->family->kind : NULL);
    set_text(object, "chosen_by", section->family ? section->selector : NULL);
    json_object_set_new(object, "keys", keys);
    json_object_set_new(object, "plugins", plugins);
    json_object_set_new(object, "presets", presets);
    if (any)
        json_array_append(sections, object);
    json_decref(object);
}

static bool is_within(const char *path, const char *group) {
    size_t length = strlen(group);
    return !*group || (strncmp(path, group, length) == 0 && (path[length] == '\0' || path[length] == '.'));
}

static void add_all(json_t *sections, const struct frs_scenario *all, const char *group) {
    const struct asked asked = {.all = true};
    for (size_t i = 0; i < all->n; i++)
        if (is_within(all->states[i].section->path, group))
            add_section(sections, &all->states[i], &asked);
}

/* The sections that are there only while the section of `state` chooses this plug-in. */
static void add_below(
    json_t *sections, const struct frs_scenario *all, const struct frs_state *state, const char *name) {
    const struct asked asked = {.all = true};
    const struct frs_plugin *plugin = frs_state_plugin(state, name);
    for (size_t i = 0; plugin && i < all->n; i++)
        if (frs_state_is_below(&all->states[i], state, plugin))
            add_section(sections, &all->states[i], &asked);
}

/* "rank", "colr" or "colr.rank" behind the path of a section. */
static void add_inside(
    json_t *sections, const struct frs_scenario *all, const struct frs_state *state, const char *name) {
    const char *dot = strchr(name, '.');
    char *first = frs_format("%.*s", (int)strcspn(name, "."), name);
    const struct asked of_plugin = {.plugin = first, .key = dot ? dot + 1 : NULL}, as_key = {.key = name};
    size_t before = json_array_size(sections);
    if (!dot)
        add_section(sections, state, &as_key);
    if (json_array_size(sections) == before) {
        add_section(sections, state, &of_plugin);
        add_below(sections, all, state, dot ? "" : first);
    }
    free(first);
}

/* A plug-in or preset of this name of whatever section, or where there is none a key. */
static void add_anywhere(json_t *sections, const struct frs_scenario *all, const char *name) {
    const struct asked as_plugin = {.plugin = name}, as_key = {.key = name};
    for (size_t i = 0; i < all->n; i++) {
        add_section(sections, &all->states[i], &as_plugin);
        add_below(sections, all, &all->states[i], name);
    }
    for (size_t i = 0, any = json_array_size(sections); i < all->n && any == 0; i++)
        add_section(sections, &all->states[i], &as_key);
}

/* The longest path of a section that `path` goes on behind; SIZE_MAX where there is none. */
static size_t section_before(const struct frs_scenario *all, const char *path) {
    for (size_t length = strlen(path); length > 0; length--) {
        size_t found = path[length] == '.' ? frs_states_find(all, path, length) : SIZE_MAX;
        if (found != SIZE_MAX)
            return found;
    }
    return SIZE_MAX;
}

json_t *frs_explain_json(const struct frs_section *table, const char *path) {
    struct frs_scenario *all = frs_states_create(table);
    json_t *root = json_object(), *sections = json_array();
    size_t section = path ? section_before(all, path) : SIZE_MAX;
    if (!path || (*path && frs_states_is_group(all, path)))
        add_all(sections, all, path ? path : "");
    else if (section != SIZE_MAX)
        add_inside(
            sections, all, &all->states[section], path + strlen(all->states[section].section->path) + 1);
    else
        add_anywhere(sections, all, path);
    set_text(root, "format", "fedrecsim-explain-1");
    json_object_set_new(root, "sections", sections);
    frs_scenario_destroy(all);
    return root;
}

json_t *frs_list_entry_json(const struct frs_plugin *plugin) {
    return plugin_object(plugin);
}
