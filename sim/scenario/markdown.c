/* docs/scenario-reference.md, from the section table. */
#include "sim/scenario/explain.h"
#include "sim/scenario/scenario_internal.h"

#include <string.h>

/* A cell of a table: "|" separates cells and "<" begins markup. */
static void put_cell(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|' || *text == '<' || *text == '*' || *text == '_')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_param(FILE *out, const struct frs_param *param) {
    char allowed[1024];
    fprintf(out, "| `%s` | ", param->key);
    put_cell(out, frs_param_allowed(param, allowed, sizeof allowed));
    if (!param->initial)
        fprintf(out, " | *has to be given* | ");
    else if (!*param->initial)
        fprintf(out, " | *empty* | ");
    else
        fprintf(out, " | `%s` | ", param->initial);
    put_cell(out, param->help ? param->help : "");
    fprintf(out, " |\n");
}

static void begin_table(FILE *out) {
    fprintf(out, "\n| Key | Allowed | Default | Meaning |\n|---|---|---|---|\n");
}

static void print_plugin(FILE *out, const char *kind, const struct frs_plugin *plugin) {
    fprintf(out, "\n### %s `%s`\n\n%s\n", kind, plugin->name, plugin->summary);
    if (plugin->source)
        fprintf(out, "\nSource: %s\n", plugin->source);
    if (!plugin->params || !plugin->params->key)
        return;
    begin_table(out);
    for (const struct frs_param *param = plugin->params; param->key; param++)
        print_param(out, param);
}

static void print_preset(FILE *out, const struct frs_preset *preset) {
    print_plugin(out, "preset", &preset->plugin);
    fprintf(out, "\n| Sets | To |\n|---|---|\n");
    for (size_t i = 0; preset->settings[i][0]; i++)
        fprintf(out, "| `%s` | `%s` |\n", preset->settings[i][0], preset->settings[i][1]);
}

static void print_section(FILE *out, const struct frs_state *state) {
    const struct frs_section *section = state->section;
    if (*section->path)
        fprintf(out, "\n## `%s`\n\n%s\n", section->path, section->help);
    else
        fprintf(out, "\n## Top level\n\n%s\n", section->help);
    if (section->shorthand)
        fprintf(out, "\nShort form: `%s = …` means `%s = { %s = … }`.\n",
            strrchr(section->path, '.') ? strrchr(section->path, '.') + 1 : section->path,
            strrchr(section->path, '.') ? strrchr(section->path, '.') + 1 : section->path,
            section->shorthand);
    const struct frs_param *params = frs_section_params(section);
    bool has_keys = state->preset.key || state->selector.key || (params && params->key);
    if (has_keys)
        begin_table(out);
    if (state->preset.key)
        print_param(out, &state->preset);
    if (state->selector.key)
        print_param(out, &state->selector);
    for (const struct frs_param *param = params; param && param->key; param++)
        print_param(out, param);
    if (section->family)
        for (const struct frs_plugin *const *plugin = section->family->plugins; *plugin; plugin++)
            print_plugin(out, section->family->kind, *plugin);
    if (section->presets)
        for (const struct frs_preset *const *preset = section->presets->presets; *preset; preset++)
            print_preset(out, *preset);
}

void frs_explain_markdown(const struct frs_section *sections, FILE *out) {
    fprintf(out,
        "# Scenario reference\n\n"
        "Written by `fedrecsim explain --markdown`; do not edit.\n\n"
        "A scenario is a libconfig file. Values with a dimension are text with a unit, such as "
        "`\"6 Mbit/s\"`; k, M, G are powers of 1000, Ki, Mi, Gi of 1024. Later layers win: defaults, "
        "presets, keys of the file, groups named after the chosen plug-in, presets named by `--set`, other "
        "`--set`.\n");
    struct frs_scenario *all = frs_states_create(sections);
    for (size_t i = 0; i < all->n; i++)
        print_section(out, &all->states[i]);
    frs_scenario_destroy(all);
}
