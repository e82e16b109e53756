#include "analysis/entries/pooling.h"
#include "analysis/statistics/factors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <stdlib.h>
#include <string.h>

/* "network.model" of "network.model=tcp" counts when results are compared. */
static bool counts(const char *setting) {
    char *key = frs_format("%.*s", (int)strcspn(setting, "="), setting);
    bool does = frs_role_of(key) != FRS_ROLE_NONE;
    free(key);
    return does;
}

/* Whether `b` has every setting of `a` that counts. */
static bool has_all_of(const struct frs_run_results *b, const struct frs_run_results *a) {
    for (size_t i = 0; i < a->n_settings; i++) {
        const char *text = a->settings[i], *sign = strchr(text, '=');
        if (!counts(text))
            continue;
        char *key = frs_format("%.*s", (int)strcspn(text, "="), text);
        const char *own = frs_run_setting(b, key);
        free(key);
        if (!own || strcmp(own, sign ? sign + 1 : "") != 0)
            return false;
    }
    return true;
}

static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

bool frs_entry_takes(const struct frs_entry *entry, const struct frs_run_results *run) {
    if (entry->labels || entry->n == 0)
        return false;
    const struct frs_run_results *first = &entry->runs[0];
    for (size_t i = 0; i < entry->n; i++)
        if (entry->runs[i].seed == run->seed)
            return false;
    return frs_run_is_finished(first) && frs_run_is_finished(run) && first->emulated == run->emulated &&
           first->format == run->format && same(first->version, run->version) &&
           same(first->data_hash, run->data_hash) && same(first->protocol, run->protocol) &&
           same(first->candidates, run->candidates) && has_all_of(first, run) && has_all_of(run, first);
}

void frs_entry_name_runs(struct frs_entry *entry) {
    free(entry->name);
    free(entry->title);
    entry->name = frs_format("%s (%zu seeds)", entry->runs[0].path, entry->n);
    entry->title = frs_quoted_markdown(entry->name);
}

char *frs_entry_runs_text(const struct frs_entry *entry) {
    char *text = frs_strdup("");
    for (size_t i = 0; i < entry->n; i++) {
        char *longer = frs_format("%s%s%s", text,
            i == 0              ? ""
            : i + 1 == entry->n ? " and "
                                : ", ",
            entry->runs[i].path);
        free(text);
        text = longer;
    }
    return text;
}
