/* `fedrecsim list`: plug-ins and presets by kind, for all kinds that a section of the table refers to.
 *
 * Several sections can choose from the same kind, each through a family of its own (a distribution of
 * rates, a distribution of times). Therefore a kind is only a name, and offers the union of what these
 * families offer. */
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/scenario/explain.h"
#include "sim/scenario/scenario_internal.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* What one section can choose from: plug-ins or presets. */
struct offer {
    const char *kind, *summary, *section, *key;
    const struct frs_plugin **plugins; /* ended by NULL */
};

struct offers {
    struct offer *offers;
    size_t n;
};

static const struct frs_plugin **plugins_of(const struct frs_family *family) {
    size_t n = 0;
    while (family->plugins[n])
        n++;
    const struct frs_plugin **plugins = frs_alloc(n + 1, sizeof *plugins);
    for (size_t i = 0; i < n; i++)
        plugins[i] = family->plugins[i];
    return plugins;
}

static const struct frs_plugin **presets_of(const struct frs_preset_family *family) {
    size_t n = 0;
    while (family->presets[n])
        n++;
    const struct frs_plugin **plugins = frs_alloc(n + 1, sizeof *plugins);
    for (size_t i = 0; i < n; i++)
        plugins[i] = &family->presets[i]->plugin;
    return plugins;
}

static struct offers collect(const struct frs_section *sections) {
    size_t n_sections = 0;
    while (sections[n_sections].path)
        n_sections++;
    struct offers all = {.offers = frs_alloc(3 * n_sections, sizeof *all.offers)};
    for (const struct frs_section *section = sections; section->path; section++) {
        const struct frs_family *family = section->family;
        const struct frs_preset_family *presets = section->presets;
        if (presets)
            all.offers[all.n++] =
                (struct offer){presets->kind, presets->summary, section->path, "preset", presets_of(presets)};
        if (family)
            all.offers[all.n++] = (struct offer){
                family->kind, family->summary, section->path, section->selector, plugins_of(family)};
        if (section->named)
            all.offers[all.n++] = (struct offer){section->named->kind, section->named->summary, section->path,
                section->list, plugins_of(section->named)};
    }
    return all;
}

static void drop(struct offers *all) {
    for (size_t i = 0; i < all->n; i++)
        free(all->offers[i].plugins);
    free(all->offers);
}

/* Whether an offer of the same kind before `offer` has a plug-in of this name (NULL: any at all). */
static bool is_before(const struct offers *all, size_t offer, const char *plugin) {
    for (size_t i = 0; i < offer; i++) {
        if (strcmp(all->offers[i].kind, all->offers[offer].kind) != 0)
            continue;
        if (!plugin)
            return true;
        for (const struct frs_plugin **other = all->offers[i].plugins; *other; other++)
            if (strcmp((*other)->name, plugin) == 0)
                return true;
    }
    return false;
}

static void print_plugin(FILE *out, const struct frs_plugin *plugin, size_t width, frs_origin *origin) {
    const char *from = origin ? origin(plugin) : NULL;
    fprintf(out, "  %-*s  %s%s%s%s\n", (int)width, plugin->name, plugin->summary, from ? " (from " : "",
        from ? from : "", from ? ")" : "");
}

/* The first offer of a kind speaks for all of them. */
static void print_kind(FILE *out, const struct offers *all, size_t first, frs_origin *origin) {
    const char *kind = all->offers[first].kind;
    size_t width = 0;
    fprintf(out, "%s: %s\n", kind, all->offers[first].summary);
    for (size_t i = first; i < all->n; i++)
        for (const struct frs_plugin **plugin = all->offers[i].plugins; *plugin; plugin++)
            if (strcmp(all->offers[i].kind, kind) == 0 && strlen((*plugin)->name) > width)
                width = strlen((*plugin)->name);
    for (size_t i = first; i < all->n; i++)
        for (const struct frs_plugin **plugin = all->offers[i].plugins; *plugin; plugin++)
            if (strcmp(all->offers[i].kind, kind) == 0 && !is_before(all, i, (*plugin)->name))
                print_plugin(out, *plugin, width, origin);
    for (size_t i = first; i < all->n; i++) {
        if (strcmp(all->offers[i].kind, kind) != 0)
            continue;
        char *key = frs_scenario_join(all->offers[i].section, all->offers[i].key);
        fprintf(out, "  %s %s\n", i == first ? "chosen by" : "      and", key);
        free(key);
    }
}

/* "policy" is named by policy and policies, "devices" by device and devices. */
static bool is_named(const char *kind, const char *name) {
    size_t n = strlen(kind), length = strlen(name);
    size_t stem = n - (n > 0 && kind[n - 1] == 'y');
    return strcmp(kind, name) == 0 || (length == n + 1 && strncmp(kind, name, n) == 0 && name[n] == 's') ||
           (n == length + 1 && strncmp(kind, name, length) == 0 && kind[length] == 's') ||
           (stem < n && strncmp(kind, name, stem) == 0 && strcmp(name + stem, "ies") == 0);
}

/* "privacy" stands for the places of the list of that name, "privacy.1" and so on. */
static bool is_list(const char *section, const char *name) {
    size_t n = strlen(name);
    return strncmp(section, name, n) == 0 && section[n] == '.' && section[n + 1] >= '1' &&
           section[n + 1] <= '9';
}

/* The kind that `name` means, or NULL. A section that offers presets, too, means its plug-ins. */
static const char *find_kind(const struct offers *all, const char *name) {
    for (size_t i = 0; i < all->n; i++)
        if (is_named(all->offers[i].kind, name))
            return all->offers[i].kind;
    for (size_t i = 0; i < all->n; i++)
        if ((is_named(all->offers[i].section, name) || is_list(all->offers[i].section, name)) &&
            strcmp(all->offers[i].key, "preset") != 0)
            return all->offers[i].kind;
    return NULL;
}

static enum frs_status unknown_kind(const struct offers *all, const char *name, struct frs_errors *errors) {
    const char **names = frs_alloc(all->n + 1, sizeof *names);
    size_t n = 0;
    char *list = frs_strdup("");
    for (size_t i = 0; i < all->n; i++) {
        if (is_before(all, i, NULL))
            continue;
        names[n++] = all->offers[i].kind;
        char *longer = frs_format("%s%s%s", list, *list ? ", " : "", all->offers[i].kind);
        free(list);
        list = longer;
    }
    const char *nearest = frs_text_nearest(name, names);
    char line[80];
    frs_errors_add(errors, FRS_ERR_INPUT, "list: there is no kind \"%s\"%s%s%s; kinds: %s, scenario",
        frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
        nearest ? "\"?" : "", *list ? list : "none");
    free(list);
    free(names);
    return FRS_ERR_INPUT;
}

/* ---- for programs ---- */

static json_t *entry_object(const struct frs_plugin *plugin, frs_origin *origin) {
    const char *from = origin ? origin(plugin) : NULL;
    json_t *entry = frs_list_entry_json(plugin);
    json_object_set_new(entry, "plugin", from ? json_string(from) : json_null());
    return entry;
}

static json_t *kind_object(const struct offers *all, size_t first, frs_origin *origin) {
    json_t *object = json_object(), *keys = json_array(), *entries = json_array();
    const char *kind = all->offers[first].kind;
    for (size_t i = first; i < all->n; i++) {
        if (strcmp(all->offers[i].kind, kind) != 0)
            continue;
        char *key = frs_scenario_join(all->offers[i].section, all->offers[i].key);
        json_array_append_new(keys, json_string(key));
        free(key);
        for (const struct frs_plugin **plugin = all->offers[i].plugins; *plugin; plugin++)
            if (!is_before(all, i, (*plugin)->name))
                json_array_append_new(entries, entry_object(*plugin, origin));
    }
    json_object_set_new(object, "kind", json_string(kind));
    json_object_set_new(object, "summary", json_string(all->offers[first].summary));
    json_object_set_new(object, "chosen_by", keys);
    json_object_set_new(object, "entries", entries);
    return object;
}

json_t *frs_list_json(
    const struct frs_section *sections, const char *kind, frs_origin *origin, struct frs_errors *errors) {
    struct offers all = collect(sections);
    json_t *root = json_object(), *kinds = json_array();
    const char *only = kind ? find_kind(&all, kind) : NULL;
    for (size_t i = 0; i < all.n; i++)
        if (!is_before(&all, i, NULL) && (!kind || (only && strcmp(only, all.offers[i].kind) == 0)))
            json_array_append_new(kinds, kind_object(&all, i, origin));
    bool known = json_array_size(kinds) > 0;
    json_object_set_new(root, "format", json_string("fedrecsim-list-1"));
    json_object_set_new(root, "kinds", kinds);
    if (!known && unknown_kind(&all, kind, errors) != FRS_OK) {
        json_decref(root);
        root = NULL;
    }
    drop(&all);
    return root;
}

/* ---- for people ---- */

enum frs_status frs_list(const struct frs_section *sections, const char *kind, frs_origin *origin, FILE *out,
    struct frs_errors *errors) {
    struct offers all = collect(sections);
    size_t printed = 0;
    const char *only = kind ? find_kind(&all, kind) : NULL;
    for (size_t i = 0; i < all.n; i++) {
        if (is_before(&all, i, NULL) || (kind && (!only || strcmp(only, all.offers[i].kind) != 0)))
            continue;
        fputs(printed++ ? "\n" : "", out);
        print_kind(out, &all, i, origin);
    }
    enum frs_status status = kind && printed == 0 ? unknown_kind(&all, kind, errors) : FRS_OK;
    drop(&all);
    return status;
}
