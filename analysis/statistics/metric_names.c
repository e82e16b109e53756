#include "analysis/statistics/metric_names.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define USUAL_K 10u

/* As analysis/read/run_reader.c finds them in summary.json and derives them. */
const struct frs_metric_entry frs_metric_table[] = {
#define FRS_METRIC(name_, unit_, better_, from_, meaning_)                                                   \
    {.name = name_, .unit = unit_, .better = FRS_##better_, .from = from_, .meaning = meaning_},
#include "analysis/statistics/metrics.def"
#undef FRS_METRIC
    {0},
};

enum { N_METRICS = sizeof frs_metric_table / sizeof *frs_metric_table };

/* "@" at the end of a pattern is a length K; "*" anything, which may have dots of its own. */
static bool fits(const char *name, const char *pattern, size_t k) {
    while (*pattern && *pattern != '*' && *pattern != '@' && *pattern == *name) {
        pattern++;
        name++;
    }
    if (*pattern == '*') {
        while (*name)
            if (fits(++name, pattern + 1, k))
                return true;
        return false;
    }
    if (*pattern != '@')
        return !*pattern && !*name;
    if (*name++ != '@')
        return false;
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && *name != '0' && !name[digits] && (k == 0 || strtoul(name, NULL, 10) == k);
}

static const struct frs_metric_entry *find(const char *name, size_t k) {
    for (const struct frs_metric_entry *entry = frs_metric_table; entry->name; entry++)
        if (fits(name, entry->name, k))
            return entry;
    return NULL;
}

const struct frs_metric_entry *frs_metric_find(const char *name) {
    return find(name, 0);
}

char *frs_metric_shown(const struct frs_metric_entry *entry) {
    char *shown = frs_strdup("");
    for (const char *at = entry->name; *at; at++) {
        const char letter[] = {*at, '\0'};
        char *longer = frs_format("%s%s", shown, *at == '*' ? "NAME" : *at == '@' ? "@K" : letter);
        free(shown);
        shown = longer;
    }
    return shown;
}

bool frs_metric_is_known(const char *name, size_t k) {
    return find(name, k);
}

/* Names that figures had before, and have no letters in common with those of today. */
static const char *renamed(const char *name) {
    static const struct { const char *before, *now; } all[] = {{"coverage", "participants_share"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].before) == 0)
            return all[i].now;
    return NULL;
}

/* "bytes" of "bytes.total", "hr" of "hr@10", "energy_j" of "modelled.energy_j". */
static bool begins(const char *known, const char *name) {
    const char *dot = strrchr(known, '.');
    size_t length = strlen(name);
    return length > 1 &&
           (strncasecmp(known, name, length) == 0 || (dot && strncasecmp(dot + 1, name, length) == 0));
}

char *frs_metric_nearest(const char *name, size_t k) {
    char *whole[N_METRICS] = {0};
    const char *candidates[N_METRICS] = {0};
    size_t n = 0;
    for (size_t i = 0; frs_metric_table[i].name; i++) {
        const char *entry = frs_metric_table[i].name;
        if (strchr(entry, '*'))
            continue;
        whole[n] = strchr(entry, '@') ? frs_format("%s%zu", entry, k ? k : USUAL_K) : frs_strdup(entry);
        candidates[n] = whole[n];
        n++;
    }
    const char *now = renamed(name), *nearest = now ? now : frs_text_nearest(name, candidates);
    for (size_t i = 0; i < n && !nearest; i++)
        if (begins(candidates[i], name))
            nearest = candidates[i];
    char *copy = nearest ? frs_strdup(nearest) : NULL;
    for (size_t i = 0; i < n; i++)
        free(whole[i]);
    return copy;
}

char *frs_metric_complaint(const char *name, size_t k) {
    if (frs_metric_is_known(name, k))
        return NULL;
    char *nearest = frs_metric_nearest(name, k), line[64];
    char *text =
        frs_format("\"%s\" is not a figure%s%s%s; allowed: names as in summary.json, such as hr@%zu, "
                   "simulated_s or bytes.down",
            frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "",
            nearest ? nearest : "", nearest ? "\"?" : "", k ? k : USUAL_K);
    free(nearest);
    return text;
}
