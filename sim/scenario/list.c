/* `fedrecsim list`: plug-ins and presets by kind, as far as the section table reaches. */
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/scenario/explain.h"
#include "sim/scenario/internal.h"

#include <stdlib.h>
#include <string.h>

/* A family or a preset family, with the first section that uses it. */
struct kind {
    const char *name, *summary;
    const struct frs_family *family;
    const struct frs_preset_family *presets;
    char *keys; /* "network.downlink.distribution, network.uplink.distribution" */
};

static void add_kind(struct kind *kinds, size_t *n, struct kind kind) {
    for (size_t i = 0; i < *n; i++) {
        if (strcmp(kinds[i].name, kind.name) != 0)
            continue;
        char *keys = frs_format("%s, %s", kinds[i].keys, kind.keys);
        free(kinds[i].keys);
        free(kind.keys);
        kinds[i].keys = keys;
        return;
    }
    kinds[(*n)++] = kind;
}

/* Room for two kinds per section; several sections share a kind. */
static struct kind *collect(const struct frs_section *sections, size_t *n) {
    size_t n_sections = 0;
    while (sections[n_sections].path)
        n_sections++;
    struct kind *kinds = frs_alloc(2 * n_sections, sizeof *kinds);
    *n = 0;
    for (const struct frs_section *section = sections; section->path; section++) {
        if (section->family)
            add_kind(kinds, n,
                (struct kind){.name = section->family->kind,
                    .summary = section->family->summary,
                    .family = section->family,
                    .keys = frs_scenario_join(section->path, section->selector)});
        if (section->presets)
            add_kind(kinds, n,
                (struct kind){.name = section->presets->kind,
                    .summary = section->presets->summary,
                    .presets = section->presets,
                    .keys = frs_scenario_join(section->path, "preset")});
    }
    return kinds;
}

static void print_kind(FILE *out, const struct kind *kind) {
    size_t width = 0;
    fprintf(out, "%s (%s): %s\n", kind->name, kind->keys, kind->summary);
    for (size_t i = 0; kind->family && kind->family->plugins[i]; i++)
        width =
            strlen(kind->family->plugins[i]->name) > width ? strlen(kind->family->plugins[i]->name) : width;
    for (size_t i = 0; kind->presets && kind->presets->presets[i]; i++) {
        size_t length = strlen(kind->presets->presets[i]->plugin.name);
        width = length > width ? length : width;
    }
    for (size_t i = 0; kind->family && kind->family->plugins[i]; i++)
        fprintf(out, "  %-*s  %s\n", (int)width, kind->family->plugins[i]->name,
            kind->family->plugins[i]->summary);
    for (size_t i = 0; kind->presets && kind->presets->presets[i]; i++)
        fprintf(out, "  %-*s  %s\n", (int)width, kind->presets->presets[i]->plugin.name,
            kind->presets->presets[i]->plugin.summary);
}

static enum frs_status unknown_kind(
    const struct kind *kinds, size_t n, const char *name, struct frs_errors *errors) {
    const char **names = frs_alloc(n + 1, sizeof *names);
    char *list = frs_strdup("");
    for (size_t i = 0; i < n; i++) {
        names[i] = kinds[i].name;
        char *longer = frs_format("%s%s%s", list, i ? ", " : "", names[i]);
        free(list);
        list = longer;
    }
    const char *nearest = frs_text_nearest(name, names);
    char line[80];
    frs_errors_add(errors, FRS_ERR_INPUT, "list: there is no kind \"%s\"%s%s%s; kinds: %s",
        frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
        nearest ? "\"?" : "", *list ? list : "none");
    free(list);
    free(names);
    return FRS_ERR_INPUT;
}

enum frs_status frs_list_with(
    const struct frs_section *sections, const char *kind, FILE *out, struct frs_errors *errors) {
    size_t n, printed = 0;
    struct kind *kinds = collect(sections, &n);
    for (size_t i = 0; i < n; i++) {
        if (kind && strcmp(kind, kinds[i].name) != 0)
            continue;
        fputs(printed++ ? "\n" : "", out);
        print_kind(out, &kinds[i]);
    }
    enum frs_status status = kind && printed == 0 ? unknown_kind(kinds, n, kind, errors) : FRS_OK;
    for (size_t i = 0; i < n; i++)
        free(kinds[i].keys);
    free(kinds);
    return status;
}
