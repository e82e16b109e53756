#include "analysis/entries/environment.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

struct finding {
    struct frs_entries *entries;
    const struct frs_grouping *grouping;
    const char **values; /* [n entries] of the current axis or setting */
    size_t n_noted;      /* axes or settings that tell environments apart */
};

/* At most so many of them are named. */
enum { MOST_NOTED = 6 };

/* ---- what belongs to the environment ---- */

static bool is_named(const char *const *names, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool axis_sets(const struct frs_entry_axis *axis, const char *key) {
    for (size_t i = 0; i < axis->n_keys; i++)
        if (frs_key_goes_with(key, axis->keys[i]))
            return true;
    return false;
}

/* Whether a setting is meant by the name of an axis, of itself or of its section. */
static bool is_meant(const struct frs_entries *entries, const char *name, const char *key) {
    for (size_t i = 0; i < entries->n_axes; i++)
        if (strcmp(entries->axes[i].name, name) == 0 && axis_sets(&entries->axes[i], key))
            return true;
    return frs_key_goes_with(key, name);
}

static bool any_means(const struct finding *f, const char *const *names, size_t n, const char *key) {
    for (size_t i = 0; i < n; i++)
        if (is_meant(f->entries, names[i], key))
            return true;
    return false;
}

static enum frs_role role_of_axis(const struct finding *f, const struct frs_entry_axis *axis) {
    if (is_named(f->grouping->within, f->grouping->n_within, axis->name))
        return FRS_ROLE_ENVIRONMENT;
    return is_named(f->grouping->across, f->grouping->n_across, axis->name) ? FRS_ROLE_DESIGN : axis->role;
}

static enum frs_role role_of_setting(const struct finding *f, const char *key) {
    if (any_means(f, f->grouping->within, f->grouping->n_within, key))
        return FRS_ROLE_ENVIRONMENT;
    if (any_means(f, f->grouping->across, f->grouping->n_across, key))
        return FRS_ROLE_DESIGN;
    for (size_t i = 0; i < f->entries->n_axes; i++)
        if (axis_sets(&f->entries->axes[i], key))
            return f->entries->axes[i].role;
    return frs_role_of(key);
}

/* ---- splitting ---- */

static bool differs(const struct finding *f) {
    for (size_t i = 1; i < f->entries->n; i++)
        if (strcmp(f->values[i], f->values[0]) != 0)
            return true;
    return false;
}

/* Entries that were together stay so if they have the same value; whether some have not. */
static bool split(struct finding *f) {
    struct frs_entries *entries = f->entries;
    size_t *old = frs_alloc(entries->n, sizeof *old), before = entries->n_environments, n = 0;
    for (size_t i = 0; i < entries->n; i++)
        old[i] = entries->list[i].environment;
    for (size_t i = 0; i < entries->n; i++) {
        size_t k = 0;
        while (k < i && (old[k] != old[i] || strcmp(f->values[k], f->values[i]) != 0))
            k++;
        entries->list[i].environment = k < i ? entries->list[k].environment : n++;
    }
    free(old);
    entries->n_environments = n;
    return n > before;
}

static void append(char **text, const char *separator, const char *more) {
    char *longer = frs_format("%s%s%s", *text, **text ? separator : "", more);
    free(*text);
    *text = longer;
}

/* Notes that `name` tells environments apart, and that "--across across" would leave that out. */
static void note(struct finding *f, const char *name, const char *across) {
    bool plain = !across[strcspn(across, " |&;<>()$`\\\"'*?[]#~%!{}")];
    char *option = frs_format(plain ? "--across %s" : "--across '%s'", across);
    if (f->n_noted++ < MOST_NOTED)
        append(&f->entries->separators, ", ", name);
    const char *there = strstr(f->entries->across, option);
    if (!there || (there[strlen(option)] && there[strlen(option)] != ' '))
        append(&f->entries->across, " ", option);
    free(option);
}

/* Adds "name=value" to the name of every entry's environment. */
static void describe(const struct finding *f, const char *name, char **names) {
    for (size_t i = 0; i < f->entries->n; i++) {
        char *longer = frs_format("%s%s%s=%s", names[i], *names[i] ? ", " : "", name, f->values[i]);
        free(names[i]);
        names[i] = longer;
    }
}

/* Splits by the values, and takes note of it. */
static void look_at(struct finding *f, const char *name, const char *across, char **names) {
    if (!differs(f))
        return;
    note(f, name, across);
    if (split(f))
        describe(f, name, names);
}

static void split_by_levels(struct finding *f, char **names) {
    for (size_t axis = 0; axis < f->entries->n_axes; axis++) {
        const struct frs_entry_axis *own = &f->entries->axes[axis];
        for (size_t i = 0; i < f->entries->n; i++)
            f->values[i] = f->entries->list[i].labels[axis];
        if (role_of_axis(f, own) == FRS_ROLE_ENVIRONMENT)
            look_at(f, own->name, own->name, names);
    }
}

static const char *setting_of(const struct frs_entry *entry, const char *key) {
    const char *value = frs_run_setting(&entry->runs[0], key);
    return value ? value : "–";
}

static void look_at_setting(struct finding *f, const char *key, char **names) {
    if (role_of_setting(f, key) != FRS_ROLE_ENVIRONMENT)
        return;
    for (size_t i = 0; i < f->entries->n; i++)
        f->values[i] = setting_of(&f->entries->list[i], key);
    char *section = frs_format("%.*s", (int)strcspn(key, "."), key);
    look_at(f, key, section, names);
    free(section);
}

/* Whether entries before number i have shown this key already. */
static bool is_old(const struct frs_entries *entries, size_t i, const char *key) {
    while (i-- > 0)
        if (frs_run_setting(&entries->list[i].runs[0], key))
            return true;
    return false;
}

static void split_by_settings(struct finding *f, char **names) {
    for (size_t i = 0; i < f->entries->n; i++) {
        const struct frs_run_results *run = &f->entries->list[i].runs[0];
        for (size_t k = 0; k < run->n_settings; k++) {
            char *key = frs_format("%.*s", (int)strcspn(run->settings[k], "="), run->settings[k]);
            if (!is_old(f->entries, i, key))
                look_at_setting(f, key, names);
            free(key);
        }
    }
    if (f->n_noted > MOST_NOTED) {
        char *more = frs_format("%zu more", f->n_noted - MOST_NOTED);
        append(&f->entries->separators, " and ", more);
        free(more);
    }
}

/* ---- mistakes ---- */

static bool is_known(const struct frs_entries *entries, const char *name) {
    for (size_t i = 0; i < entries->n_axes; i++)
        if (strcmp(entries->axes[i].name, name) == 0)
            return true;
    for (size_t i = 0; !entries->one_sweep && i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].runs[0].n_settings; k++) {
            char *key = frs_format("%.*s", (int)strcspn(entries->list[i].runs[0].settings[k], "="),
                entries->list[i].runs[0].settings[k]);
            bool meant = frs_key_goes_with(key, name);
            free(key);
            if (meant)
                return true;
        }
    return false;
}

static enum frs_status refuse(
    const struct frs_entries *entries, const char *option, const char *name, struct frs_errors *errors) {
    char line[64], *allowed = frs_strdup("");
    for (size_t i = 0; i < entries->n_axes; i++) {
        size_t first = 0;
        while (strcmp(entries->axes[first].name, entries->axes[i].name) != 0)
            first++;
        if (first < i)
            continue;
        char *longer = frs_format("%s%s%s", allowed, *allowed ? " | " : "", entries->axes[i].name);
        free(allowed);
        allowed = longer;
    }
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT, "%s %s: is no axis%s; allowed: %s%s%s",
        option, frs_text_line(name, line, sizeof line),
        entries->one_sweep ? " of the sweep" : " and no setting of a run", allowed,
        !entries->one_sweep && *allowed ? " | " : "",
        entries->one_sweep ? ""
                           : "a setting or section as in manifest.json, such as network.model or network");
    free(allowed);
    return status;
}

static enum frs_status check(
    const struct frs_entries *entries, const struct frs_grouping *grouping, struct frs_errors *errors) {
    for (size_t i = 0; i < grouping->n_within; i++)
        if (!is_known(entries, grouping->within[i]))
            return refuse(entries, "--within", grouping->within[i], errors);
    for (size_t i = 0; i < grouping->n_across; i++)
        if (!is_known(entries, grouping->across[i]))
            return refuse(entries, "--across", grouping->across[i], errors);
        else if (is_named(grouping->within, grouping->n_within, grouping->across[i]))
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "--across %s: is also --within; allowed: one of them", grouping->across[i]);
    return FRS_OK;
}

/* ---- all of it ---- */

static void start(struct frs_entries *entries) {
    for (size_t i = 0; i < entries->n_environments; i++)
        free(entries->environments[i]);
    free(entries->environments);
    free(entries->separators);
    free(entries->across);
    entries->separators = frs_strdup("");
    entries->across = frs_strdup("");
    entries->n_environments = 1;
    for (size_t i = 0; i < entries->n; i++)
        entries->list[i].environment = 0;
}

enum frs_status frs_environments_find(
    struct frs_entries *entries, const struct frs_grouping *grouping, struct frs_errors *errors) {
    if (check(entries, grouping, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    struct finding f = {entries, grouping, frs_alloc(entries->n, sizeof *f.values), 0};
    char **names = frs_alloc(entries->n, sizeof *names);
    for (size_t i = 0; i < entries->n; i++)
        names[i] = frs_strdup("");
    start(entries);
    if (entries->one_sweep)
        split_by_levels(&f, names);
    else
        split_by_settings(&f, names);
    entries->environments = frs_alloc(entries->n_environments, sizeof *entries->environments);
    for (size_t i = 0; i < entries->n; i++) {
        char **name = &entries->environments[entries->list[i].environment];
        if (*name)
            free(names[i]);
        else
            *name = names[i];
    }
    free(names);
    free(f.values);
    return FRS_OK;
}

bool frs_environments_are_apart(const struct frs_entries *entries) {
    const struct frs_run_results *first = &entries->list[0].runs[0];
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].n; k++) {
            const struct frs_run_results *run = &entries->list[i].runs[k];
            if (strcmp(run->data_hash, first->data_hash) != 0 ||
                strcmp(run->protocol, first->protocol) != 0 ||
                strcmp(run->candidates, first->candidates) != 0 || run->k != first->k)
                return false;
        }
    return entries->n > 1 && entries->n_environments == entries->n;
}

void frs_environments_join(struct frs_entries *entries) {
    start(entries);
    entries->environments = frs_alloc(1, sizeof *entries->environments);
    entries->environments[0] = frs_strdup("");
}

size_t frs_environments_members(const struct frs_entries *entries, size_t environment, size_t *members) {
    size_t n = 0;
    for (size_t i = 0; i < entries->n; i++)
        if (entries->list[i].environment == environment)
            members[n++] = i;
    return n;
}
