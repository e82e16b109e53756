#include "analysis/entries/entries_checks.h"
#include "analysis/read/quality_settings.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

void frs_entries_warn(struct frs_entries *entries, char *line) {
    entries->warnings = frs_grow(
        entries->warnings, entries->n_warnings + 1, &entries->warnings_capacity, sizeof *entries->warnings);
    entries->warnings[entries->n_warnings++] = line;
}

typedef const char *(*property)(const struct frs_run_results *run);

static const char *data_of(const struct frs_run_results *run) {
    return run->data_hash;
}

static const char *protocol_of(const struct frs_run_results *run) {
    return run->protocol;
}

static const char *candidates_of(const struct frs_run_results *run) {
    return run->candidates;
}

static const char *k_of(const struct frs_run_results *run) {
    const char *k = frs_run_setting(run, "evaluation.k");
    return k ? k : "none";
}

/* The first entry of which a run differs from the very first run. */
static void check_property(struct frs_entries *entries, const char *what, property of, bool tell) {
    const struct frs_run_results *first = &entries->list[0].runs[0];
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].n; k++) {
            const char *a = of(first), *b = of(&entries->list[i].runs[k]);
            if (strcmp(a, b) == 0)
                continue;
            frs_entries_warn(entries, tell ? frs_format("%s differ: %s in %s, %s in %s", what, a,
                                                 entries->list[0].name, b, entries->list[i].name)
                                           : frs_format("%s differ between %s and %s", what,
                                                 entries->list[0].name, entries->list[i].name));
            return;
        }
}

/* The first entry that has another value of the setting than the first one to have any. */
static void check_setting(struct frs_entries *entries, const char *key) {
    const struct frs_entry *first = NULL;
    const char *value = NULL;
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].n; k++) {
            const char *own = frs_quality_setting(&entries->list[i].runs[k], key);
            if (own && value && strcmp(own, value) != 0) {
                frs_entries_warn(entries, frs_format("values of %s differ: %s in %s, %s in %s", key, value,
                                              first->name, own, entries->list[i].name));
                return;
            }
            if (own && !value) {
                first = &entries->list[i];
                value = own;
            }
        }
}

/* Those that have a line of their own, with what runs of all versions tell. */
static bool is_checked_apart(const char *key) {
    return strcmp(key, "evaluation.protocol") == 0 || strcmp(key, "evaluation.candidates") == 0 ||
           strcmp(key, "evaluation.k") == 0;
}

static bool any_before_has(const struct frs_entries *entries, size_t end, const char *key) {
    for (size_t i = 0; i < end; i++)
        if (frs_run_setting(&entries->list[i].runs[0], key))
            return true;
    return false;
}

/* Keys of all entries: another version of the program may have had other ones. */
static void check_settings(struct frs_entries *entries) {
    for (size_t i = 0; i < entries->n; i++) {
        const struct frs_run_results *run = &entries->list[i].runs[0];
        for (size_t k = 0; k < run->n_settings; k++) {
            char *key = frs_format("%.*s", (int)strcspn(run->settings[k], "="), run->settings[k]);
            if (frs_setting_defines_quality(key) && !is_checked_apart(key) &&
                !any_before_has(entries, i, key))
                check_setting(entries, key);
            free(key);
        }
    }
}

/* "a, b", of the entries that have (or have not) an emulated run; freed by the caller. *n: how many. */
static char *names_of(const struct frs_entries *entries, bool emulated, size_t *n) {
    char *names = frs_strdup("");
    *n = 0;
    for (size_t i = 0; i < entries->n; i++) {
        bool is = false;
        for (size_t k = 0; k < entries->list[i].n; k++)
            is = is || entries->list[i].runs[k].emulated;
        if (is != emulated)
            continue;
        char *longer = frs_format("%s%s%s", names, (*n)++ > 0 ? ", " : "", entries->list[i].name);
        free(names);
        names = longer;
    }
    return names;
}

static bool all_trusted(const struct frs_entries *entries) {
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].n; k++)
            if (entries->list[i].runs[k].emulated && !entries->list[i].runs[k].trusted)
                return false;
    return true;
}

/* Measured times beside computed ones: what differs may be the machine. */
static void check_emulation(struct frs_entries *entries) {
    size_t n_emulated, n_simulated;
    char *emulated = names_of(entries, true, &n_emulated),
         *simulated = names_of(entries, false, &n_simulated);
    const char *trusted = all_trusted(entries) ? "" : ", not all of which can be trusted";
    if (n_emulated > 0)
        frs_entries_warn(entries,
            n_simulated > 0
                ? frs_format("%s: emulated over the kernel's TCP, with measured times%s; %s: simulated",
                      emulated, trusted, simulated)
                : frs_format("%s: emulated over the kernel's TCP, with measured times%s", emulated, trusted));
    free(emulated);
    free(simulated);
}

void frs_entries_check(struct frs_entries *entries) {
    check_property(entries, "data", data_of, false);
    check_property(entries, "protocols", protocol_of, true);
    check_property(entries, "candidates of the evaluation", candidates_of, true);
    check_property(entries, "values of K", k_of, true);
    check_settings(entries);
    check_emulation(entries);
}
