#include "analysis/figures/places.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a label may be: a number, a percentage, or a quantity of a dimension. */
enum { NUMBER, PERCENT, QUANTITY, KINDS = QUANTITY + FRS_DIMENSIONS };

static bool read_as(const char *label, int kind, double *value) {
    if (frs_decimal_is(label, value) && (kind == NUMBER || *value == 0))
        return true;
    if (kind == PERCENT) {
        size_t n = strlen(label);
        if (n < 2 || label[n - 1] != '%')
            return false;
        n--;
        while (n > 0 && label[n - 1] == ' ')
            n--;
        char *number = frs_format("%.*s", (int)n, label);
        bool is = frs_decimal_is(number, value);
        free(number);
        return is;
    }
    return kind >= QUANTITY && frs_units_parse(label, (enum frs_dimension)(kind - QUANTITY), value) == FRS_OK;
}

/* Reads all labels, in the first kind that suits them; and no two are the same. */
static bool read_labels(const struct frs_axis *axis, double *values) {
    bool all = false;
    for (int kind = 0; kind < KINDS && !all; kind++) {
        all = true;
        for (size_t i = 0; i < axis->n && all; i++)
            all = read_as(axis->levels[i].label, kind, &values[i]);
    }
    for (size_t i = 0; i < axis->n && all; i++)
        for (size_t k = 0; k < i && all; k++)
            all = values[i] != values[k];
    return all;
}

bool frs_places_are_numbers(const struct frs_axis *axis) {
    double *values = frs_alloc(axis->n, sizeof *values);
    bool are = read_labels(axis, values);
    free(values);
    return are;
}

static void sort(struct frs_places *places) {
    for (size_t i = 1; i < places->n; i++)
        for (size_t k = i; k > 0 && places->at[k] < places->at[k - 1]; k--) {
            double at = places->at[k];
            size_t level = places->levels[k];
            places->at[k] = places->at[k - 1];
            places->levels[k] = places->levels[k - 1];
            places->at[k - 1] = at;
            places->levels[k - 1] = level;
        }
}

/* How uneven the gaps between neighbours are: the largest by the smallest. */
static double unevenness(const struct frs_places *places, bool logarithms) {
    double least = INFINITY, most = 0;
    for (size_t i = 1; i < places->n; i++) {
        double gap = logarithms ? log(places->at[i] / places->at[i - 1]) : places->at[i] - places->at[i - 1];
        least = fmin(least, gap);
        most = fmax(most, gap);
    }
    return most / least;
}

static bool looks_logarithmic(const struct frs_places *places) {
    return places->n > 2 && places->at[0] > 0 && unevenness(places, true) < 0.75 * unevenness(places, false);
}

enum frs_status frs_places_find(
    const struct frs_axis *axis, enum frs_scale asked, struct frs_places *places, struct frs_errors *errors) {
    *places = (struct frs_places){.scale = asked,
        .n = axis->n,
        .levels = frs_alloc(axis->n, sizeof *places->levels),
        .at = frs_alloc(axis->n, sizeof *places->at)};
    bool numbers = asked != FRS_SCALE_CATEGORIES && read_labels(axis, places->at);
    for (size_t i = 0; i < axis->n; i++) {
        places->levels[i] = i;
        places->at[i] = numbers ? places->at[i] : (double)(i + 1);
    }
    sort(places);
    const char *wrong = NULL;
    if (!numbers && (asked == FRS_SCALE_LINEAR || asked == FRS_SCALE_LOG))
        wrong = "its levels are not all numbers of one kind";
    else if (asked == FRS_SCALE_LOG && !(places->at[0] > 0))
        wrong = "it has a level that is not above 0";
    if (wrong) {
        frs_places_fini(places);
        return frs_errors_add(errors, FRS_ERR_INPUT, "--scale %s: not of the axis %s: %s; allowed: %s",
            asked == FRS_SCALE_LOG ? "log" : "linear", axis->name, wrong,
            numbers ? "linear, categories" : "categories");
    }
    if (asked == FRS_SCALE_ANY)
        places->scale = !numbers                    ? FRS_SCALE_CATEGORIES
                        : looks_logarithmic(places) ? FRS_SCALE_LOG
                                                    : FRS_SCALE_LINEAR;
    return FRS_OK;
}

double frs_places_share(const struct frs_places *places, size_t i) {
    double first = places->at[0], last = places->at[places->n - 1], own = places->at[i];
    if (places->scale == FRS_SCALE_CATEGORIES)
        return (own - 0.5) / (double)places->n;
    if (places->scale == FRS_SCALE_LOG)
        return log(own / first) / log(last / first);
    return (own - first) / (last - first);
}

void frs_places_fini(struct frs_places *places) {
    free(places->levels);
    free(places->at);
    *places = (struct frs_places){0};
}
