/* `fedrecsim explain`: the section table as text for people. */
#include "sim/scenario/explain.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

static size_t widest_of(const struct frs_param *params, size_t width) {
    for (; params && params->key; params++)
        width = strlen(params->key) > width ? strlen(params->key) : width;
    return width;
}

/* All keys of one section share a column, those of its plug-ins too. */
static size_t key_width(const struct frs_state *state) {
    size_t width = widest_of(frs_section_params(state->section), 8);
    if (state->selector.key && strlen(state->selector.key) > width)
        width = strlen(state->selector.key);
    if (state->section->family)
        for (const struct frs_plugin *const *plugin = state->section->family->plugins; *plugin; plugin++)
            width = widest_of((*plugin)->params, width);
    return width;
}

static void print_allowed(FILE *out, const struct frs_param *param) {
    char allowed[1024];
    fprintf(out, "%s; ", frs_param_allowed(param, allowed, sizeof allowed));
    char *initial = param->initial ? frs_param_in_file(param, param->initial) : NULL;
    if (initial)
        fprintf(out, "default: %s\n", initial);
    else
        fprintf(out, "has to be given\n");
    free(initial);
}

static void print_param(FILE *out, const struct frs_param *param, int indent, size_t width) {
    fprintf(out, "%*s%-*s  ", indent, "", (int)width, param->key);
    print_allowed(out, param);
    fprintf(out, "%*s%s\n", indent + (int)width + 2, "", param->help ? param->help : "");
}

static void print_params(FILE *out, const struct frs_param *params, int indent, size_t width) {
    for (; params && params->key; params++)
        print_param(out, params, indent, width);
}

/* Sections that are there only while this plug-in is chosen. */
static void print_sections(FILE *out, const struct frs_scenario *all, const struct frs_state *state,
    const struct frs_plugin *plugin, size_t width) {
    for (size_t i = 0; i < all->n; i++) {
        const struct frs_section *section = all->states[i].section;
        if (!frs_state_is_below(&all->states[i], state, plugin))
            continue;
        const char *name = section->path + strlen(state->section->path) + 1;
        fprintf(out, "    %-*s  a section%s; `fedrecsim explain %s`\n%*s%s\n", (int)width, name,
            section->shorthand ? ", or a value of it" : "", section->path, (int)width + 6, "", section->help);
    }
}

static void print_plugin(FILE *out, const struct frs_scenario *all, const struct frs_state *state,
    const struct frs_plugin *plugin, size_t width) {
    fprintf(out, "  %s \"%s\": %s\n", state->section->family->kind, plugin->name, plugin->summary);
    if (plugin->source)
        fprintf(out, "    Source: %s\n", plugin->source);
    print_params(out, plugin->params, 4, width);
    print_sections(out, all, state, plugin, width);
}

static void print_plugins(
    FILE *out, const struct frs_scenario *all, const struct frs_state *state, size_t width) {
    for (const struct frs_plugin *const *plugin = state->section->family->plugins; *plugin; plugin++) {
        fputc('\n', out);
        print_plugin(out, all, state, *plugin, width);
    }
}

static void print_preset(FILE *out, const struct frs_preset *preset) {
    fprintf(out, "  preset \"%s\": %s\n", preset->plugin.name, preset->plugin.summary);
    if (preset->plugin.source)
        fprintf(out, "    Source: %s\n", preset->plugin.source);
    for (size_t i = 0; preset->settings[i][0]; i++)
        fprintf(out, "    sets %s = %s\n", preset->settings[i][0], preset->settings[i][1]);
}

static void print_presets(FILE *out, const struct frs_preset_family *family) {
    for (const struct frs_preset *const *preset = family->presets; *preset; preset++) {
        fputc('\n', out);
        print_preset(out, *preset);
    }
}

static void print_section(FILE *out, const struct frs_scenario *all, const struct frs_state *state) {
    const struct frs_section *section = state->section;
    size_t width = key_width(state);
    fprintf(out, "%s: %s\n", *section->path ? section->path : "top level", section->help);
    if (section->shorthand)
        fprintf(out, "  Short form: %s = <value> means %s = { %s = <value> }.\n", section->path,
            section->path, section->shorthand);
    if (state->preset.key)
        print_param(out, &state->preset, 2, width);
    if (state->selector.key)
        print_param(out, &state->selector, 2, width);
    print_params(out, frs_section_params(section), 2, width);
    if (section->family)
        print_plugins(out, all, state, width);
    if (section->presets)
        print_presets(out, section->presets);
}

static bool is_within(const char *path, const char *section) {
    size_t length = strlen(section);
    return strncmp(path, section, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

/* The known sections, and the nearest when one was probably meant. */
static enum frs_status unknown_section(
    const struct frs_scenario *all, const char *section, struct frs_errors *errors) {
    const char **names = frs_alloc(all->n + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        if (*all->states[i].section->path)
            names[n++] = all->states[i].section->path;
    const char *nearest = frs_text_nearest(section, names);
    char *list = frs_strdup("");
    for (size_t i = 0; i < n; i++) {
        char *longer = frs_format("%s%s%s", list, i ? ", " : "", names[i]);
        free(list);
        list = longer;
    }
    char line[80];
    frs_errors_add(errors, FRS_ERR_INPUT, "explain: there is no section \"%s\"%s%s%s; sections: %s",
        frs_text_line(section, line, sizeof line), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
        nearest ? "\"?" : "", list);
    free(list);
    free(names);
    return FRS_ERR_INPUT;
}

/* ---- what stands inside of a section: "rounds.cohort", "method.colr", "method.colr.rank" ---- */

static void print_key(
    FILE *out, const char *section, const struct frs_plugin *plugin, const struct frs_param *param) {
    fprintf(out, "%s%s%s%s%s: ", section, *section ? "." : "", plugin ? plugin->name : "", plugin ? "." : "",
        param->key);
    print_allowed(out, param);
    fprintf(out, "  %s\n", param->help ? param->help : "");
}

/* Whether the section has a plug-in or a preset of this name (both, for some systems), which is printed. */
static bool print_named(
    FILE *out, const struct frs_scenario *all, const struct frs_state *state, const char *name) {
    const struct frs_plugin *plugin = frs_state_plugin(state, name);
    const struct frs_preset *preset = frs_state_find_preset(state, name);
    if (plugin)
        print_plugin(out, all, state, plugin, widest_of(plugin->params, 8));
    if (plugin && preset)
        fputc('\n', out);
    if (preset)
        print_preset(out, preset);
    return plugin || preset;
}

/* The section's own key, or that of all its plug-ins that have one of this name. */
static bool print_keys(FILE *out, const struct frs_state *state, const char *key) {
    const struct frs_param *own = frs_state_own(state, key);
    const struct frs_plugin *plugin = NULL;
    bool found = own;
    if (own)
        print_key(out, state->section->path, NULL, own);
    while ((plugin = frs_state_plugin_with(state, key, plugin))) {
        print_key(out, state->section->path, plugin, frs_plugin_param(plugin, key));
        found = true;
    }
    return found;
}

static size_t add_keys(const struct frs_param *params, const char **names, size_t n) {
    for (; params && params->key; params++)
        names[n++] = params->key;
    return n;
}

static size_t n_params(const struct frs_param *params) {
    size_t n = 0;
    while (params && params[n].key)
        n++;
    return n;
}

/* Returns what `name`, written behind the section's path, can have meant: a key, a plug-in, or NULL. */
static const char *nearest_inside(const struct frs_state *state, const char *name) {
    const struct frs_family *family = state->section->family;
    size_t n = n_params(frs_section_params(state->section)) + 1;
    for (size_t i = 0; family && family->plugins[i]; i++)
        n += 1 + n_params(family->plugins[i]->params);
    const char **names = frs_alloc(n, sizeof *names);
    n = add_keys(frs_section_params(state->section), names, 0);
    for (size_t i = 0; family && family->plugins[i]; i++) {
        names[n++] = family->plugins[i]->name;
        n = add_keys(family->plugins[i]->params, names, n);
    }
    const char *nearest = frs_text_nearest(name, names);
    free(names);
    return nearest;
}

static enum frs_status unknown_inside(
    const char *section, const char *name, const char *nearest, struct frs_errors *errors) {
    char line[80];
    return frs_errors_add(errors, FRS_ERR_INPUT, "explain: %s has no \"%s\"%s%s%s", section,
        frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
        nearest ? "\"?" : "");
}

/* `name` stands behind the path of a section. */
static enum frs_status explain_inside(FILE *out, const struct frs_scenario *all,
    const struct frs_state *state, const char *name, struct frs_errors *errors) {
    const char *dot = strchr(name, '.'), *section = state->section->path;
    if (!dot && (print_keys(out, state, name) || print_named(out, all, state, name)))
        return FRS_OK;
    char *first = dot ? frs_format("%.*s", (int)(dot - name), name) : frs_strdup(name);
    const struct frs_plugin *plugin = dot ? frs_state_plugin(state, first) : NULL;
    const struct frs_param *param = plugin ? frs_plugin_param(plugin, dot + 1) : NULL;
    enum frs_status status = FRS_OK;
    free(first);
    if (param) {
        print_key(out, section, plugin, param);
    } else if (plugin) {
        char *group = frs_scenario_join(section, plugin->name);
        status = unknown_inside(group, dot + 1, NULL, errors);
        free(group);
    } else {
        status = unknown_inside(section, name, dot ? NULL : nearest_inside(state, name), errors);
    }
    return status;
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

/* Sections with the same plug-ins (privacy.1, privacy.2) would say the same. */
static bool is_first_of_family(const struct frs_scenario *all, size_t state) {
    const struct frs_family *family = all->states[state].section->family;
    for (size_t i = 0; family && i < state; i++)
        if (all->states[i].section->family == family)
            return false;
    return true;
}

/* A plug-in, a preset or, where there is neither, a key of this name, whatever section it stands in. */
static bool print_anywhere(FILE *out, const struct frs_scenario *all, const char *name) {
    bool found = false;
    for (size_t i = 0; i < all->n; i++) {
        const struct frs_state *state = &all->states[i];
        if (!is_first_of_family(all, i) ||
            !(frs_state_plugin(state, name) || frs_state_find_preset(state, name)))
            continue;
        fprintf(out, "%s%s:\n", found ? "\n" : "", state->section->path);
        found = print_named(out, all, state, name);
    }
    for (size_t i = 0, any = found; i < all->n && !any; i++)
        found |= is_first_of_family(all, i) && print_keys(out, &all->states[i], name);
    return found;
}

static enum frs_status explain_path(
    FILE *out, const struct frs_scenario *all, const char *path, struct frs_errors *errors) {
    size_t section = section_before(all, path), top = frs_states_find(all, "", 0);
    if (section != SIZE_MAX)
        return explain_inside(
            out, all, &all->states[section], path + strlen(all->states[section].section->path) + 1, errors);
    if (top != SIZE_MAX && print_keys(out, &all->states[top], path))
        return FRS_OK;
    if (print_anywhere(out, all, path))
        return FRS_OK;
    return unknown_section(all, path, errors);
}

enum frs_status frs_explain(
    const struct frs_section *sections, const char *section, FILE *out, struct frs_errors *errors) {
    struct frs_scenario *all = frs_states_create(sections);
    bool inside = section && (!*section || !frs_states_is_group(all, section)), first = true;
    enum frs_status status = inside ? explain_path(out, all, section, errors) : FRS_OK;
    for (size_t i = 0; !inside && i < all->n; i++) {
        if (section && !is_within(all->states[i].section->path, section))
            continue;
        fputs(first ? "" : "\n", out);
        print_section(out, all, &all->states[i]);
        first = false;
    }
    frs_scenario_destroy(all);
    return status;
}
