/* fedrecsim-scenario(5): the section table as a manual page. */
#include "sim/base/memory.h"
#include "sim/base/roff.h"
#include "sim/scenario/explain.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

static void put_param(FILE *out, const struct frs_param *param) {
    char allowed[1024];
    char *initial = param->initial ? frs_param_in_file(param, param->initial) : NULL;
    char *text = frs_format("%s; %s%s. %s", frs_param_allowed(param, allowed, sizeof allowed),
        initial ? "default: " : "has to be given", initial ? initial : "", param->help ? param->help : "");
    frs_roff_entry(out, param->key, text);
    free(text);
    free(initial);
}

static void put_params(FILE *out, const struct frs_param *params) {
    for (; params && params->key; params++)
        put_param(out, params);
}

/* Its keys stand further to the right than its name. */
static void put_plugin(FILE *out, const char *kind, const struct frs_plugin *plugin) {
    char *tag = frs_format("%s \"%s\"", kind, plugin->name),
         *text = frs_format("%s%s%s", plugin->summary, plugin->source ? ". Source: " : "",
             plugin->source ? plugin->source : "");
    frs_roff_entry(out, tag, text);
    if (plugin->params && plugin->params->key) {
        fputs(".RS\n", out);
        put_params(out, plugin->params);
        fputs(".RE\n", out);
    }
    free(text);
    free(tag);
}

static void put_preset(FILE *out, const struct frs_preset *preset) {
    put_plugin(out, "preset", &preset->plugin);
    char *sets = frs_strdup("Sets ");
    for (size_t i = 0; preset->settings[i][0]; i++) {
        char *longer =
            frs_format("%s%s%s = %s", sets, i ? "; " : "", preset->settings[i][0], preset->settings[i][1]);
        free(sets);
        sets = longer;
    }
    fputs(".IP\n", out);
    frs_roff_paragraphs(out, sets);
    free(sets);
}

/* The section before that chooses from the same plug-ins; NULL where this is the first. */
static const struct frs_section *first_of(const struct frs_scenario *all, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (all->states[k].section->family == all->states[i].section->family)
            return all->states[k].section;
    return NULL;
}

static void put_family(FILE *out, const struct frs_scenario *all, size_t i) {
    const struct frs_family *family = all->states[i].section->family;
    const struct frs_section *first = first_of(all, i);
    if (first) {
        char *text = frs_format("Each %s and its keys: as of %s.", family->kind, first->path);
        fputs(".PP\n", out);
        frs_roff_paragraphs(out, text);
        free(text);
        return;
    }
    for (const struct frs_plugin *const *plugin = family->plugins; *plugin; plugin++)
        put_plugin(out, family->kind, *plugin);
}

static void put_section(FILE *out, const struct frs_scenario *all, size_t i) {
    const struct frs_state *state = &all->states[i];
    const struct frs_section *section = state->section;
    frs_roff_subheading(out, *section->path ? section->path : "Outside of all groups");
    frs_roff_paragraphs(out, section->help);
    if (section->shorthand) {
        const char *dot = strrchr(section->path, '.'), *name = dot ? dot + 1 : section->path;
        char *text =
            frs_format("Short form: %s = VALUE means %s = { %s = VALUE; }.", name, name, section->shorthand);
        fputs(".PP\n", out);
        frs_roff_paragraphs(out, text);
        free(text);
    }
    if (state->preset.key)
        put_param(out, &state->preset);
    if (state->selector.key)
        put_param(out, &state->selector);
    put_params(out, frs_section_params(section));
    if (section->family)
        put_family(out, all, i);
    if (section->presets)
        for (const struct frs_preset *const *preset = section->presets->presets; *preset; preset++)
            put_preset(out, *preset);
}

void frs_explain_manual(const struct frs_section *sections, FILE *out) {
    struct frs_scenario *all = frs_states_create(sections);
    frs_roff_title(out, "fedrecsim-scenario", 5);
    frs_roff_heading(out, "NAME");
    fputs("fedrecsim\\-scenario \\- what can be written into a scenario of fedrecsim\n", out);
    frs_roff_heading(out, "DESCRIPTION");
    frs_roff_paragraphs(out, "A scenario is a libconfig file. Values with a dimension are text with a unit, "
                             "such as \"6 Mbit/s\"; k, "
                             "M, G are powers of 1000, Ki, Mi, Gi of 1024.\n"
                             "Later layers win: defaults, presets, keys of the file, groups named after the "
                             "chosen plug-in, presets "
                             "named by --set, other --set. @include \"part.cfg\", first on its line, puts "
                             "another file in that place.\n"
                             "A setting that does not exist, or has no effect, is an error.");
    fputs(".PP\n", out);
    frs_roff_example(out,
        "method = { name = \"colr\"; rank = 4; };\nnetwork = { preset = \"4g\"; uplink = \"2 Mbit/s\"; };\n"
        "rounds = { count = 200; cohort = \"10 %\"; };");
    frs_roff_heading(out, "SECTIONS");
    for (size_t i = 0; i < all->n; i++)
        put_section(out, all, i);
    frs_roff_heading(out, "SEE ALSO");
    fputs(".BR fedrecsim (1),\n.BR fedrecsim\\-explain (1),\n.BR fedrecsim\\-new (1)\n", out);
    frs_scenario_destroy(all);
}
