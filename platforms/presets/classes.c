#include "platforms/presets/classes.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shares are given in percent with a few digits. */
#define TOLERANCE 1e-9

bool frs_section_is_given(const struct frs_values *values) {
    for (size_t i = 0; i < values->n; i++)
        if (values->values[i].given)
            return true;
    return false;
}

static const struct frs_preset *find(const struct frs_preset *const *presets, const char *name) {
    for (; *presets; presets++)
        if (strcmp((*presets)->plugin.name, name) == 0)
            return *presets;
    return NULL;
}

static bool unknown_class(const struct frs_values *values, const char *key, const char *name,
    const struct frs_preset *const *presets, struct frs_errors *errors) {
    const char *names[64];
    char allowed[512] = "", line[48];
    size_t n = 0;
    for (; n < 63 && presets[n]; n++) {
        names[n] = presets[n]->plugin.name;
        snprintf(
            allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s", n ? " | " : "", names[n]);
    }
    names[n] = NULL;
    const char *nearest = frs_text_nearest(name, names);
    frs_values_error(values, key, errors, "\"%s\" is not a class%s%s%s; allowed: %s",
        frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
        nearest ? "\"?" : "", allowed);
    return false;
}

/* "wifi 40 %": splits the text in place; false when it does not look like that. */
static bool split(char *text, char **name, double *share) {
    text += strspn(text, " \t");
    size_t length = strcspn(text, " \t");
    *name = text;
    if (length == 0 || !text[length])
        return false;
    text[length] = '\0';
    text += length + 1;
    text += strspn(text, " \t");
    for (size_t end = strlen(text); end > 0 && strchr(" \t", text[end - 1]); end--)
        text[end - 1] = '\0';
    return frs_percentage_read(text, share) && *share >= 0 && *share <= 1;
}

static bool add_class(const struct frs_values *values, const char *key, char *text,
    const struct frs_preset *const *presets, struct frs_classes *classes, struct frs_errors *errors) {
    char *name, line[64], *copy = frs_strdup(text);
    double share;
    bool ok = false;
    if (!split(text, &name, &share)) {
        frs_values_error(values, key, errors,
            "\"%s\" is not a class with its share; allowed: such as \"a 40 %%, b 60 %%\"",
            frs_text_line(copy, line, sizeof line));
        free(copy);
        return false;
    }
    free(copy);
    const struct frs_preset *preset = find(presets, name);
    if (!preset)
        return unknown_class(values, key, name, presets, errors);
    char *own = frs_format("%s.%s", values->section, key);
    bool is_mix = frs_preset_setting(preset, own);
    free(own);
    if (is_mix)
        frs_values_error(values, key, errors, "\"%s\" is itself a mix of classes", name);
    else if (classes->n == FRS_MAX_CLASSES)
        frs_values_error(values, key, errors, "has more than %d classes", FRS_MAX_CLASSES);
    else
        ok = true;
    for (size_t i = 0; ok && i < classes->n; i++)
        if (classes->presets[i] == preset) {
            frs_values_error(values, key, errors, "\"%s\" is there twice", name);
            ok = false;
        }
    if (ok) {
        classes->presets[classes->n] = preset;
        classes->shares[classes->n++] = share;
    }
    return ok;
}

/* Drops classes without clients, which scenarios with varying shares may list. */
static void drop_empty(struct frs_classes *classes) {
    size_t n = 0;
    for (size_t i = 0; i < classes->n; i++) {
        if (classes->shares[i] <= 0) {
            classes->empty[classes->n_empty++] = classes->presets[i];
            continue;
        }
        classes->presets[n] = classes->presets[i];
        classes->shares[n++] = classes->shares[i];
    }
    classes->n = n;
}

bool frs_classes_read(const struct frs_values *values, const char *key,
    const struct frs_preset *const *presets, struct frs_classes *classes, struct frs_errors *errors) {
    char *text = frs_strdup(frs_values_text(values, key)), *rest = text, number[32];
    bool ok = true;
    double sum = 0;
    *classes = (struct frs_classes){0};
    for (char *part; *text && (part = strsep(&rest, ","));)
        ok = add_class(values, key, part, presets, classes, errors) && ok;
    free(text);
    for (size_t i = 0; i < classes->n; i++)
        sum += classes->shares[i];
    if (ok && classes->n > 0 && fabs(sum - 1) > TOLERANCE) {
        frs_values_error(values, key, errors, "the shares add up to %s %%; allowed: 100 %%",
            frs_text_number(round(sum * 1e8) / 1e6, number, sizeof number));
        ok = false;
    }
    if (ok)
        drop_empty(classes);
    else
        *classes = (struct frs_classes){0};
    return ok;
}

void frs_classes_sort(struct frs_classes *classes, double *medians, size_t *order) {
    for (size_t i = 0; i < classes->n; i++) {
        const struct frs_preset *preset = classes->presets[i];
        double share = classes->shares[i], median = medians[i];
        size_t at = i;
        for (; at > 0 && medians[at - 1] > median; at--) {
            classes->presets[at] = classes->presets[at - 1];
            classes->shares[at] = classes->shares[at - 1];
            medians[at] = medians[at - 1];
            order[at] = order[at - 1];
        }
        classes->presets[at] = preset;
        classes->shares[at] = share;
        medians[at] = median;
        order[at] = i;
    }
}

size_t frs_classes_pick(const struct frs_classes *classes, double u, double *within) {
    double below = 0;
    size_t i = 0;
    while (i + 1 < classes->n && u >= below + classes->shares[i])
        below += classes->shares[i++];
    *within = fmin(fmax((u - below) / classes->shares[i], FRS_QUANTILE_LEAST), 1 - FRS_QUANTILE_LEAST);
    return i;
}

const char *const frs_class_shares_names[] = {
    [FRS_SHARES_DRAWN] = "drawn", [FRS_SHARES_DEALT] = "dealt", NULL};

struct drawn {
    double quantile;
    uint32_t client;
};

static int by_quantile(const void *a, const void *b) {
    const struct drawn *x = a, *y = b;
    if (x->quantile != y->quantile)
        return (x->quantile > y->quantile) - (x->quantile < y->quantile);
    return (x->client > y->client) - (x->client < y->client);
}

double *frs_classes_deal(uint32_t n, double (*quantile)(const void *of, uint64_t seed, uint32_t client),
    const void *of, uint64_t seed) {
    struct drawn *drawn = frs_alloc(n, sizeof *drawn);
    double *dealt = frs_alloc(n, sizeof *dealt);
    for (uint32_t client = 0; client < n; client++)
        drawn[client] = (struct drawn){quantile(of, seed, client), client};
    qsort(drawn, n, sizeof *drawn, by_quantile);
    for (uint32_t i = 0; i < n; i++)
        dealt[drawn[i].client] = (i + 0.5) / n;
    free(drawn);
    return dealt;
}
