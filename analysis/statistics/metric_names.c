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

/* Whether "5,10,20" has this number. */
static bool is_cut_off(const char *number, const char *cut_offs) {
    size_t digits = strlen(number);
    for (const char *at = cut_offs; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, number, digits) == 0 && (!at[digits] || at[digits] == ','))
            return true;
    }
    return false;
}

/* "@" at the end of a pattern is a length K; "*" anything, which may have dots of its own. */
static bool fits(const char *name, const char *pattern, const char *cut_offs) {
    while (*pattern && *pattern != '*' && *pattern != '@' && *pattern == *name) {
        pattern++;
        name++;
    }
    if (*pattern == '*') {
        while (*name)
            if (fits(++name, pattern + 1, cut_offs))
                return true;
        return false;
    }
    if (*pattern != '@')
        return !*pattern && !*name;
    if (*name++ != '@')
        return false;
    size_t digits = strspn(name, "0123456789");
    return digits > 0 && *name != '0' && !name[digits] && (!cut_offs || is_cut_off(name, cut_offs));
}

static const struct frs_metric_entry *find(const char *name, const char *cut_offs) {
    for (const struct frs_metric_entry *entry = frs_metric_table; entry->name; entry++)
        if (fits(name, entry->name, cut_offs))
            return entry;
    return NULL;
}

const struct frs_metric_entry *frs_metric_find(const char *name) {
    return find(name, NULL);
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

bool frs_metric_is_known(const char *name, const char *cut_offs) {
    return find(name, cut_offs);
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

/* The K to name. */
static size_t first_of(const char *cut_offs) {
    size_t k = cut_offs ? strtoul(cut_offs, NULL, 10) : 0;
    return k > 0 ? k : USUAL_K;
}

char *frs_metric_nearest(const char *name, const char *cut_offs) {
    char *whole[N_METRICS] = {0};
    const char *candidates[N_METRICS] = {0};
    size_t n = 0;
    for (size_t i = 0; frs_metric_table[i].name; i++) {
        const char *entry = frs_metric_table[i].name;
        if (strchr(entry, '*'))
            continue;
        whole[n] = strchr(entry, '@') ? frs_format("%s%zu", entry, first_of(cut_offs)) : frs_strdup(entry);
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

char *frs_metric_complaint(const char *name, const char *cut_offs) {
    if (frs_metric_is_known(name, cut_offs))
        return NULL;
    char *nearest = frs_metric_nearest(name, cut_offs), line[64];
    char *text =
        frs_format("\"%s\" is not a figure%s%s%s; allowed: names as in summary.json, such as hr@%zu, "
                   "simulated_s or bytes.down",
            frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "",
            nearest ? nearest : "", nearest ? "\"?" : "", first_of(cut_offs));
    free(nearest);
    return text;
}
