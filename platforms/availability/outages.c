#include "platforms/availability/outages.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORM "\"25 % from 2 h to 3 h\", \"region 1 of 4 from 30 min to 40 min\" or \"all from 1 d to 2 d\""

/* ---- reading --------------------------------------------------------------------------------- */

static char *trim(char *text) {
    text += strspn(text, " \t\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Cuts `text` at the last occurrence of `word` and returns what stands behind it, or NULL. */
static char *cut(char *text, const char *word) {
    char *found = NULL;
    for (char *next = text; (next = strstr(next, word)); next++)
        found = next;
    if (!found)
        return NULL;
    *found = '\0';
    return trim(found + strlen(word));
}

static bool read_count(const char *text, uint32_t *count) {
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 9 || text[digits])
        return false;
    *count = (uint32_t)strtoul(text, NULL, 10);
    return true;
}

/* "25 %", "region 1 of 4" or "all". */
static bool read_who(char *text, struct frs_outage *outage) {
    if (strcmp(text, "all") == 0) {
        outage->share = 1;
        return true;
    }
    if (strncmp(text, "region ", 7) == 0) {
        char *of = cut(text, " of ");
        uint32_t region;
        if (!of || !read_count(trim(text + 7), &region) || !read_count(of, &outage->regions) || region < 1 ||
            region > outage->regions)
            return false;
        outage->region = region - 1;
        return true;
    }
    return frs_percentage_read(text, &outage->share) && outage->share >= 0 && outage->share <= 1;
}

/* NULL, or what is wrong. `text` is taken apart. */
static const char *read_outage(char *text, struct frs_outage *outage) {
    char *to = cut(text, " to "), *from = to ? cut(text, " from ") : NULL;
    if (!from || !read_who(trim(text), outage))
        return "is not an outage; allowed: " FORM;
    if (frs_units_parse(trim(from), FRS_TIME, &outage->from_s) != FRS_OK ||
        frs_units_parse(to, FRS_TIME, &outage->to_s) != FRS_OK)
        return "has an entry that is not a time with its unit, such as 2 h (at most 1e9 s)";
    if (outage->from_s < 0)
        return "starts before 0 s";
    return outage->to_s > outage->from_s ? NULL : "does not end after it starts";
}

static int by_start(const void *a, const void *b) {
    const struct frs_outage *left = a, *right = b;
    if (left->from_s != right->from_s)
        return left->from_s < right->from_s ? -1 : 1;
    return left->index < right->index ? -1 : 1;
}

bool frs_outages_read(
    struct frs_outages *outages, const struct frs_values *values, uint64_t seed, struct frs_errors *errors) {
    *outages = (struct frs_outages){.seed = seed};
    char *copy = frs_strdup(frs_values_text(values, "outages")), *rest = copy, *item, shown[96];
    size_t capacity = 0, mistakes = 0;
    if (!*trim(copy))
        rest = NULL;
    while ((item = strsep(&rest, ";"))) {
        item = trim(item);
        char *written = frs_strdup(item);
        struct frs_outage outage = {.index = (uint32_t)outages->n};
        const char *wrong = read_outage(item, &outage);
        if (wrong) {
            frs_values_error(
                values, "outages", errors, "\"%s\" %s", frs_text_line(written, shown, sizeof shown), wrong);
            mistakes++;
        }
        free(written);
        outages->list = frs_grow(outages->list, outages->n + 1, &capacity, sizeof outage);
        outages->list[outages->n++] = outage;
    }
    free(copy);
    if (mistakes > 0)
        frs_outages_fini(outages);
    else if (outages->n > 0)
        qsort(outages->list, outages->n, sizeof *outages->list, by_start);
    return mistakes == 0;
}

void frs_outages_fini(struct frs_outages *outages) {
    free(outages->list);
    *outages = (struct frs_outages){0};
}

/* ---- asking ---------------------------------------------------------------------------------- */

static bool takes(const struct frs_outages *outages, const struct frs_outage *outage, uint32_t client) {
    if (outage->regions > 0)
        return client % outage->regions == outage->region;
    if (outage->share >= 1)
        return true;
    struct frs_rng rng = frs_rng_stream(outages->seed, client, outage->index, 0, FRS_RNG_OUTAGE);
    return frs_rng_unit(&rng) < outage->share;
}

bool frs_outages_at(const struct frs_outages *outages, uint32_t client, double t_s, double *until_s) {
    bool online = true;
    double end_s = t_s; /* of the outages that cover t_s and of those that follow without a gap */
    *until_s = INFINITY;
    for (size_t i = 0; i < outages->n; i++) {
        const struct frs_outage *outage = &outages->list[i];
        if (outage->to_s <= end_s || !takes(outages, outage, client))
            continue;
        if (outage->from_s > end_s) { /* the list is sorted: nothing later matters either */
            if (online)
                *until_s = outage->from_s;
            break;
        }
        online = false;
        end_s = outage->to_s;
    }
    if (!online)
        *until_s = end_s;
    return online;
}
