#include "algorithms/data/reading/time_scale.h"
#include "sim/base/date.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    double from, to, unit;
    const char *name;
} units[] = {
    [FRS_TIME_S] = {1e8, 1e10, 1, "s"},
    [FRS_TIME_MS] = {1e11, 1e13, 1e3, "ms"},
    [FRS_TIME_US] = {1e14, 1e16, 1e6, "µs"},
    [FRS_TIME_NS] = {1e17, 1e19, 1e9, "ns"},
};
enum { N_UNITS = sizeof units / sizeof *units };

/* "20110324" and "20110324223045" as numbers. */
static bool of_digits(double time, double *seconds) {
    char text[32];
    if (!((time >= 19000101 && time < 21000000) || (time >= 19000101e6 && time < 21000000e6)) ||
        time != floor(time))
        return false;
    int n = snprintf(text, sizeof text, "%.0f", time);
    return frs_date_of_digits(text, (size_t)n, seconds);
}

enum frs_time_class frs_time_class_of(double time) {
    double ignored;
    for (int i = 0; i < N_UNITS; i++)
        if (time >= units[i].from && time < units[i].to)
            return (enum frs_time_class)i;
    return of_digits(time, &ignored) ? FRS_TIME_DIGITS : FRS_TIME_OTHER;
}

void frs_time_scale_add(struct frs_time_scale *scale, double time, struct frs_row_place place) {
    enum frs_time_class class = frs_time_class_of(time);
    if (scale->n[class]++ == 0)
        scale->first[class] = place;
}

static enum frs_time_class class_of_most(const struct frs_time_scale *scale, size_t n) {
    for (int i = 0; i < FRS_TIME_OTHER; i++)
        if (scale->n[i] > n / 2)
            return (enum frs_time_class)i;
    return FRS_TIME_OTHER;
}

static void apply_units(enum frs_time_class most, double *times, size_t n) {
    for (size_t i = 0; i < n; i++) {
        enum frs_time_class class = frs_time_class_of(times[i]);
        times[i] /= units[class <= FRS_TIME_NS ? class : most].unit;
    }
}

static void apply_digits(double *times, size_t n) {
    for (size_t i = 0; i < n; i++)
        (void)of_digits(times[i], &times[i]);
}

/* "line 5", or "line 5 of more.csv" where that is another file than `path`. */
static const char *place_text(const struct frs_row_place *place, const char *path, char text[160]) {
    bool here = strcmp(place->path, path) == 0;
    snprintf(text, 160, "line %zu%s%.100s", place->line, here ? "" : " of ", here ? "" : place->path);
    return text;
}

static const struct frs_row_place *earlier(const struct frs_row_place *a, const struct frs_row_place *b) {
    return !b->path || (a->path && a->path == b->path && a->line < b->line) ? a : b;
}

/* What is neither in the unit of most nor in another one. */
static char *tell_others(
    const struct frs_time_scale *scale, enum frs_time_class most, const char *before, const char *path) {
    char place[160];
    bool digits = most == FRS_TIME_DIGITS;
    size_t n = scale->n[FRS_TIME_OTHER] + (digits ? 0 : scale->n[FRS_TIME_DIGITS]);
    const struct frs_row_place *first = &scale->first[FRS_TIME_OTHER];
    for (int i = 0; i < N_UNITS && digits; i++)
        n += scale->n[i];
    for (int i = 0; i < FRS_TIME_OTHER; i++)
        if (scale->n[i] > 0 && (digits ? i < N_UNITS : i == FRS_TIME_DIGITS))
            first = first->path ? earlier(first, &scale->first[i]) : &scale->first[i];
    if (n == 0)
        return frs_strdup(before);
    return frs_format("%s; %zu row%s a time that is %s (%s%s), kept as %s", before, n,
        n == 1 ? " has" : "s have", digits ? "no such date" : "not from 1973 to 2286",
        n == 1 ? "" : "the first in ", place_text(first, path, place), n == 1 ? "it is" : "they are");
}

char *frs_time_scale_apply(const struct frs_time_scale *scale, double *times, size_t n, const char *path) {
    enum frs_time_class most = class_of_most(scale, n);
    char place[160];
    if (most == FRS_TIME_OTHER || scale->n[FRS_TIME_S] == n)
        return frs_strdup("");
    bool digits = most == FRS_TIME_DIGITS, mixed = false;
    char *text = frs_strdup("");
    for (int i = 0; i < N_UNITS && !digits; i++) {
        if (scale->n[i] == 0 || i == (int)most)
            continue;
        char *longer = frs_format("%s, %zu row%s in %s (%s%s)", text, scale->n[i],
            scale->n[i] == 1 ? "" : "s", units[i].name, scale->n[i] == 1 ? "" : "the first in ",
            place_text(&scale->first[i], path, place));
        free(text);
        text = longer;
        mixed = true;
    }
    char *whole = digits                         ? frs_strdup("; times are dates such as 20110324")
                  : most == FRS_TIME_S && !mixed ? frs_strdup("")
                                                 : frs_format("; times in %s%s%s", units[most].name, text,
                                                       mixed ? ", all brought to s" : "");
    free(text);
    text = tell_others(scale, most, whole, path);
    free(whole);
    if (digits)
        apply_digits(times, n);
    else
        apply_units(most, times, n);
    return text;
}
