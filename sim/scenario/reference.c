/* The pages of docs/reference, from the section table. There is an index; a page for every top-level
 * section with the sections below it and, separately, its presets; and a page for plug-ins that several
 * sections choose from (codecs, distributions), so that their keys appear once. */
#include "sim/base/memory.h"
#include "sim/scenario/explain.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
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
    char *initial = param->initial ? frs_param_in_file(param, param->initial) : NULL;
    if (initial)
        fprintf(out, " | `%s` | ", initial);
    else
        fprintf(out, " | *has to be given* | ");
    free(initial);
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

/* --- which page holds what --- */

/* "network" of "network.uplink". */
static size_t top_length(const struct frs_section *section) {
    return strcspn(section->path, ".");
}

static bool on_page_of(const struct frs_section *section, const struct frs_section *top) {
    return top_length(section) == top_length(top) && strncmp(section->path, top->path, top_length(top)) == 0;
}

static bool is_same_kind(const struct frs_section *a, const struct frs_section *b) {
    return a->family && b->family && strcmp(a->family->kind, b->family->kind) == 0;
}

/* Whether a section before (in the table) satisfies `matches`: then it was printed with that one. */
static bool comes_first(const struct frs_scenario *all, size_t i,
    bool (*matches)(const struct frs_section *a, const struct frs_section *b)) {
    for (size_t k = 0; k < i; k++)
        if (matches(all->states[k].section, all->states[i].section))
            return false;
    return true;
}

static bool is_shared(const struct frs_scenario *all, const struct frs_section *section) {
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += is_same_kind(all->states[i].section, section);
    return n > 1;
}

/* --- parts of a page --- */

static void print_shorthand(FILE *out, const struct frs_section *section) {
    const char *dot = strrchr(section->path, '.'), *name = dot ? dot + 1 : section->path;
    if (name[strspn(name, "0123456789")] == '\0') {
        fprintf(out, "\nShort form in the list: `\"…\"` means `{ %s = \"…\"; }`.\n", section->shorthand);
        return;
    }
    fprintf(out, "\nShort form: `%s = …` means `%s = { %s = … }`.\n", name, name, section->shorthand);
}

static void print_keys(FILE *out, const struct frs_state *state) {
    const struct frs_param *params = frs_section_params(state->section);
    if (state->preset.key || state->selector.key || (params && params->key))
        begin_table(out);
    if (state->preset.key)
        print_param(out, &state->preset);
    if (state->selector.key)
        print_param(out, &state->selector);
    for (const struct frs_param *param = params; param && param->key; param++)
        print_param(out, param);
}

static void print_family(FILE *out, const struct frs_family *family) {
    for (const struct frs_plugin *const *plugin = family->plugins; *plugin; plugin++)
        print_plugin(out, family->kind, *plugin);
}

static void print_section(FILE *out, const struct frs_scenario *all, const struct frs_state *state) {
    const struct frs_section *section = state->section;
    fprintf(out, "\n## `%s`\n\n%s\n", section->path, section->help);
    if (section->shorthand)
        print_shorthand(out, section);
    print_keys(out, state);
    if (section->presets)
        fprintf(out, "\nWhat each preset sets: [presets](%.*s-presets.md).\n", (int)top_length(section),
            section->path);
    if (section->family && is_shared(all, section))
        fprintf(out, "\nKeys of each %s: [%ss](%ss.md).\n", section->family->kind, section->family->kind,
            section->family->kind);
    else if (section->family && !is_shared(all, section))
        print_family(out, section->family);
}

/* The plug-ins all sections of a page choose from. */
static void print_kinds(FILE *out, const struct frs_scenario *all, const struct frs_section *top) {
    for (size_t i = 0; i < all->n; i++) {
        const struct frs_section *section = all->states[i].section;
        if (on_page_of(section, top) && section->family && is_shared(all, section) &&
            !is_shared(all, section) && comes_first(all, i, is_same_kind)) {
            fprintf(out, "\n## Keys of each %s\n", section->family->kind);
            print_family(out, section->family);
        }
    }
}

/* --- pages --- */

struct pages {
    frs_page_sink *sink;
    void *context;
    FILE *out;
    char *text;
    size_t n;
};

static FILE *begin_page(struct pages *pages, const char *title) {
    pages->out = open_memstream(&pages->text, &pages->n);
    fprintf(pages->out, "%s# %s\n", frs_page_mark, title);
    return pages->out;
}

/* Takes `name`. */
static void end_page(struct pages *pages, char *name) {
    fclose(pages->out);
    pages->sink(pages->context, name, pages->text);
    free(pages->text);
    free(name);
}

static void section_page(struct pages *pages, const struct frs_scenario *all, const struct frs_section *top) {
    int length = (int)top_length(top);
    char *title = frs_format("Scenario reference: `%.*s`", length, top->path);
    begin_page(pages, title);
    for (size_t i = 0; i < all->n; i++)
        if (on_page_of(all->states[i].section, top))
            print_section(pages->out, all, &all->states[i]);
    print_kinds(pages->out, all, top);
    end_page(pages, frs_format("%.*s.md", length, top->path));
    free(title);
}

static void preset_page(struct pages *pages, const struct frs_section *section) {
    char *title = frs_format("Presets of `%s`", section->path);
    FILE *out = begin_page(pages, title);
    fprintf(out, "\n`%s.preset` chooses one: %s. Keys of the file and of the command line win over it.\n",
        section->path, section->presets->summary);
    for (const struct frs_preset *const *preset = section->presets->presets; *preset; preset++)
        print_preset(out, *preset);
    end_page(pages, frs_format("%.*s-presets.md", (int)top_length(section), section->path));
    free(title);
}

/* "`codec.uplink`, `codec.downlink`": the sections that choose from `family`. */
static void print_choosers(FILE *out, const struct frs_scenario *all, const struct frs_family *family) {
    const char *separator = "";
    for (size_t i = 0; i < all->n; i++) {
        if (all->states[i].section->family != family)
            continue;
        fprintf(out, "%s`%s`", separator, all->states[i].section->path);
        separator = ", ";
    }
}

static bool is_same_family(const struct frs_section *a, const struct frs_section *b) {
    return a->family == b->family;
}

static void kind_page(struct pages *pages, const struct frs_scenario *all, const struct frs_section *first) {
    const char *kind = first->family->kind;
    char *title = frs_format("Scenario reference: %ss", kind);
    FILE *out = begin_page(pages, title);
    for (size_t i = 0; i < all->n; i++) {
        const struct frs_section *section = all->states[i].section;
        if (!is_same_kind(section, first) || !comes_first(all, i, is_same_family))
            continue;
        fprintf(out, "\n## ");
        print_choosers(out, all, section->family);
        fprintf(out, "\n");
        print_family(out, section->family);
    }
    end_page(pages, frs_format("%ss.md", kind));
    free(title);
}

static void index_page(struct pages *pages, const struct frs_scenario *all) {
    FILE *out = begin_page(pages, "Scenario reference");
    fprintf(out,
        "\nA scenario is a libconfig file. Values with a dimension are text with a unit, such as "
        "`\"6 Mbit/s\"`; k, M, G are powers of 1000, Ki, Mi, Gi of 1024. Later layers win: defaults, "
        "presets, keys of the file, groups named after the chosen plug-in, presets named by `--set`, other "
        "`--set`. `@include \"part.cfg\"`, first on its line, puts another file in that place; the keys of a "
        "section may come from several files, each of them from one.\n\n## Top level\n\n%s\n",
        all->states[0].section->help);
    print_keys(out, &all->states[0]);
    fprintf(out, "\n## Pages\n\n| Page | What it sets |\n|---|---|\n");
    for (size_t i = 1; i < all->n; i++) {
        const struct frs_section *section = all->states[i].section;
        int length = (int)top_length(section);
        if (comes_first(all, i, on_page_of))
            fprintf(out, "| [`%.*s`](%.*s.md) | %s |\n", length, section->path, length, section->path,
                section->help);
        if (section->presets)
            fprintf(out, "| [presets of `%s`](%.*s-presets.md) | %s |\n", section->path, length,
                section->path, section->presets->summary);
    }
    for (size_t i = 0; i < all->n; i++) {
        const struct frs_section *section = all->states[i].section;
        if (section->family && comes_first(all, i, is_same_kind) && is_shared(all, section))
            fprintf(out, "| [%ss](%ss.md) | %s |\n", section->family->kind, section->family->kind,
                section->family->summary);
    }
    fputs("| [results](results.md) | what the files of runs and sweeps hold: every column, every metric |\n",
        out);
    end_page(pages, frs_strdup("README.md"));
}

const char frs_page_mark[] = "<!-- Written by fedrecsim explain --markdown; do not edit. -->\n";

void frs_explain_pages(const struct frs_section *sections, frs_page_sink *sink, void *context) {
    struct frs_scenario *all = frs_states_create(sections);
    struct pages pages = {.sink = sink, .context = context};
    index_page(&pages, all);
    for (size_t i = 1; i < all->n; i++) {
        const struct frs_section *section = all->states[i].section;
        if (comes_first(all, i, on_page_of))
            section_page(&pages, all, section);
        if (section->presets)
            preset_page(&pages, section);
        if (section->family && comes_first(all, i, is_same_kind) && is_shared(all, section))
            kind_page(&pages, all, section);
    }
    frs_scenario_destroy(all);
}
