/* `fedrecsim explain`: the section table as text for people. */
#include "sim/scenario/explain.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/scenario/internal.h"

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

static void print_param(FILE *out, const struct frs_param *param, int indent, size_t width) {
    char allowed[1024];
    fprintf(out, "%*s%-*s  %s; ", indent, "", (int)width, param->key,
        frs_param_allowed(param, allowed, sizeof allowed));
    if (!param->initial)
        fprintf(out, "has to be given\n");
    else if (!*param->initial)
        fprintf(out, "default: empty\n");
    else
        fprintf(out, "default: %s\n", param->initial);
    fprintf(out, "%*s%s\n", indent + (int)width + 2, "", param->help ? param->help : "");
}

static void print_params(FILE *out, const struct frs_param *params, int indent, size_t width) {
    for (; params && params->key; params++)
        print_param(out, params, indent, width);
}

static void print_plugins(FILE *out, const struct frs_state *state, size_t width) {
    const struct frs_family *family = state->section->family;
    for (const struct frs_plugin *const *plugin = family->plugins; *plugin; plugin++) {
        fprintf(out, "\n  %s \"%s\": %s\n", family->kind, (*plugin)->name, (*plugin)->summary);
        if ((*plugin)->source)
            fprintf(out, "    Source: %s\n", (*plugin)->source);
        print_params(out, (*plugin)->params, 4, width);
    }
}

static void print_presets(FILE *out, const struct frs_preset_family *family) {
    for (const struct frs_preset *const *preset = family->presets; *preset; preset++) {
        fprintf(out, "\n  preset \"%s\": %s\n", (*preset)->plugin.name, (*preset)->plugin.summary);
        if ((*preset)->plugin.source)
            fprintf(out, "    Source: %s\n", (*preset)->plugin.source);
        for (size_t i = 0; (*preset)->settings[i][0]; i++)
            fprintf(out, "    sets %s = %s\n", (*preset)->settings[i][0], (*preset)->settings[i][1]);
    }
}

static void print_section(FILE *out, const struct frs_state *state) {
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
        print_plugins(out, state, width);
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

enum frs_status frs_explain_with(
    const struct frs_section *sections, const char *section, FILE *out, struct frs_errors *errors) {
    struct frs_scenario *all = frs_states_create(sections);
    enum frs_status status = FRS_OK;
    if (section && (!*section || !frs_states_is_group(all, section)))
        status = unknown_section(all, section, errors);
    bool first = true;
    for (size_t i = 0; status == FRS_OK && i < all->n; i++) {
        if (section && !is_within(all->states[i].section->path, section))
            continue;
        fputs(first ? "" : "\n", out);
        print_section(out, &all->states[i]);
        first = false;
    }
    frs_scenario_destroy(all);
    return status;
}
