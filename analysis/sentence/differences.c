#include "analysis/sentence/differences.h"
#include "analysis/print/setting_text.h"
#include "analysis/statistics/factors.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* At most so many settings are named. */
enum { MOST_NAMED = 3 };

/* "uplink" of network.uplink.median: what a person would call it. */
static const char *name_of(const char *key) {
    static const struct {
        const char *key, *name;
    } names[] = {{"network.uplink.median", "uplink"}, {"network.downlink.median", "downlink"},
        {"network.uplink.value", "uplink"}, {"network.downlink.value", "downlink"},
        {"network.uplink", "uplink"}, {"network.downlink", "downlink"}, {"network.latency.median", "latency"},
        {"network.latency.value", "latency"}, {"network.latency", "latency"}, {"network.preset", "network"},
        {"devices.preset", "devices"}, {"method.name", "method"}, {"rounds.cohort", "cohort"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].key, key) == 0)
            return names[i].name;
    return key;
}

/* ---- which settings ---- */

static const char *set_to(const struct frs_run_results *run, const char *key) {
    for (size_t i = 0; i < run->n_varied; i++)
        if (strcmp(run->varied[i], key) == 0)
            return run->varied_to[i];
    return NULL;
}

/* As --set has it, or else as the scenario has come to have it. */
static char *value_of(const struct frs_run_results *run, const char *key) {
    const char *own = set_to(run, key), *found = own ? own : frs_run_setting(run, key);
    return found ? frs_setting_text(found) : frs_strdup("as in the file");
}

/* Takes over `values` [n_entries], and keeps them if they differ. */
static void add(struct frs_differences *d, const char *key, char **values) {
    bool differ = false;
    for (size_t i = 1; i < d->n_entries; i++)
        differ = differ || strcmp(values[i], values[0]) != 0;
    if (!differ) {
        for (size_t i = 0; i < d->n_entries; i++)
            free(values[i]);
        free(values);
        return;
    }
    size_t keys_capacity = d->capacity;
    d->keys = frs_grow(d->keys, d->n + 1, &keys_capacity, sizeof *d->keys);
    d->values = frs_grow(d->values, d->n + 1, &d->capacity, sizeof *d->values);
    d->keys[d->n] = frs_strdup(key);
    d->values[d->n++] = values;
}

static void add_key(struct frs_differences *d, const struct frs_entries *entries, const char *key) {
    char **values = frs_alloc(d->n_entries, sizeof *values);
    for (size_t i = 0; i < d->n_entries; i++)
        values[i] = value_of(&entries->list[i].runs[0], key);
    add(d, key, values);
}

/* Whether a run before, or a key before in the same run, has had this key already. */
static bool is_set_before(const struct frs_entries *entries, size_t entry, size_t place) {
    const char *key = entries->list[entry].runs[0].varied[place];
    for (size_t i = 0; i <= entry; i++) {
        const struct frs_run_results *run = &entries->list[i].runs[0];
        for (size_t k = 0; k < (i < entry ? run->n_varied : place); k++)
            if (strcmp(run->varied[k], key) == 0)
                return true;
    }
    return false;
}

static bool is_brought_along(const struct frs_entries *entries, const char *key) {
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].runs[0].n_varied; k++)
            if (frs_key_goes_with(key, entries->list[i].runs[0].varied[k]))
                return true;
    return false;
}

/* What the files of runs say beside --set. */
static void add_of_files(struct frs_differences *d, const struct frs_entries *entries) {
    for (size_t i = 0; i < entries->n; i++) {
        const struct frs_run_results *run = &entries->list[i].runs[0];
        for (size_t k = 0; k < run->n_settings; k++) {
            char *key = frs_format("%.*s", (int)strcspn(run->settings[k], "="), run->settings[k]);
            bool is_old = false;
            for (size_t before = 0; before < i; before++)
                is_old = is_old || frs_run_setting(&entries->list[before].runs[0], key);
            if (!is_old && frs_role_of(key) != FRS_ROLE_NONE && !is_brought_along(entries, key))
                add_key(d, entries, key);
            free(key);
        }
    }
}

static void add_axes(struct frs_differences *d, const struct frs_entries *entries) {
    for (size_t axis = 0; axis < entries->n_axes; axis++) {
        char **values = frs_alloc(d->n_entries, sizeof *values);
        for (size_t i = 0; i < d->n_entries; i++)
            values[i] = frs_setting_text(entries->list[i].labels[axis]);
        add(d, entries->axes[axis].name, values);
    }
}

struct frs_differences frs_differences_of(const struct frs_entries *entries) {
    struct frs_differences d = {.n_entries = entries->n};
    if (entries->one_sweep) {
        add_axes(&d, entries);
        return d;
    }
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].runs[0].n_varied; k++)
            if (!is_set_before(entries, i, k) &&
                frs_role_of(entries->list[i].runs[0].varied[k]) != FRS_ROLE_NONE)
                add_key(&d, entries, entries->list[i].runs[0].varied[k]);
    add_of_files(&d, entries);
    return d;
}

void frs_differences_fini(struct frs_differences *d) {
    for (size_t k = 0; k < d->n; k++) {
        for (size_t i = 0; i < d->n_entries; i++)
            free(d->values[k][i]);
        free(d->values[k]);
        free(d->keys[k]);
    }
    free(d->values);
    free(d->keys);
    *d = (struct frs_differences){0};
}

/* ---- in words ---- */

/* Takes over `more`. */
static void append(char **text, const char *separator, char *more) {
    char *longer = frs_format("%s%s%s", *text, **text ? separator : "", more);
    free(*text);
    free(more);
    *text = longer;
}

char *frs_differences_label(const struct frs_differences *d, size_t i) {
    char *text = frs_strdup("");
    for (size_t k = 0; k < d->n && k < MOST_NAMED; k++)
        append(&text, ", ", frs_format("%s %s", name_of(d->keys[k]), d->values[k][i]));
    if (d->n > MOST_NAMED)
        append(&text, ", ", frs_format("%zu more", d->n - MOST_NAMED));
    return text;
}

/* "3 → 30 Mbit/s": a unit that both have stands once. */
static char *change(const char *from, const char *to) {
    const char *unit = strrchr(from, ' '), *other = strrchr(to, ' ');
    bool alike = unit && other && strcmp(unit, other) == 0 && strchr("0123456789", from[0]);
    return alike ? frs_format("%.*s → %s", (int)(unit - from), from, to) : frs_format("%s → %s", from, to);
}

static bool changes(const struct frs_differences *d, size_t k, size_t from, size_t to) {
    return strcmp(d->values[k][from], d->values[k][to]) != 0;
}

/* Whether another change brings this one along: that of a preset those of its links. */
static bool follows(const struct frs_differences *d, size_t k, size_t from, size_t to) {
    for (size_t other = 0; other < d->n; other++)
        if (other != k && changes(d, other, from, to) && frs_key_goes_with(d->keys[k], d->keys[other]) &&
            !frs_key_goes_with(d->keys[other], d->keys[k]))
            return true;
    return false;
}

char *frs_differences_change(const struct frs_differences *d, size_t from, size_t to) {
    char *text = frs_strdup("");
    size_t n = 0;
    for (size_t k = 0; k < d->n; k++) {
        if (!changes(d, k, from, to) || follows(d, k, from, to) || n++ >= MOST_NAMED)
            continue;
        char *values = change(d->values[k][from], d->values[k][to]);
        append(&text, ", ", frs_format("%s %s", name_of(d->keys[k]), values));
        free(values);
    }
    if (n > MOST_NAMED)
        append(&text, " and ", frs_format("%zu more", n - MOST_NAMED));
    return text;
}
