#include "algorithms/data/preparation/unrated.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <string.h>

enum { FEW = 64, LEAST_OTHERS = 3 };

/* The values beside one that is suspected. */
struct others {
    size_t n; /* distinct; FEW + 1: more than FEW */
    float values[FEW];
    size_t counts[FEW];
    float least, most;
};

static void add(struct others *others, float value) {
    size_t at = 0;
    others->least = fminf(others->least, value);
    others->most = fmaxf(others->most, value);
    if (others->n > FEW)
        return;
    while (at < others->n && others->values[at] < value)
        at++;
    if (at < others->n && others->values[at] == value) {
        others->counts[at]++;
        return;
    }
    if (others->n == FEW) {
        others->n++;
        return;
    }
    memmove(others->values + at + 1, others->values + at, (others->n - at) * sizeof *others->values);
    memmove(others->counts + at + 1, others->counts + at, (others->n - at) * sizeof *others->counts);
    others->values[at] = value;
    others->counts[at] = 1;
    others->n++;
}

/* A distance from which on a value is apart from the others. */
static double apart_from(const struct others *others) {
    double step = INFINITY;
    if (others->n > FEW)
        return ((double)others->most - (double)others->least) / 2;
    for (size_t i = 1; i < others->n; i++)
        step = fmin(step, (double)others->values[i] - (double)others->values[i - 1]);
    return 1.5 * step;
}

static bool outnumbers(const struct others *others, size_t n) {
    if (others->n > FEW)
        return false;
    for (size_t i = 0; i < others->n; i++)
        if (others->counts[i] * 2 > n)
            return false;
    return true;
}

static bool looks_so(const struct others *others, float value, size_t n, size_t n_rows) {
    double distance =
        value < others->least ? (double)others->least - (double)value : (double)value - (double)others->most;
    if (others->n < LEAST_OTHERS || n == 0)
        return false;
    return distance >= apart_from(others) ? n * 1000 >= n_rows : outnumbers(others, n);
}

static bool is_taken(float value, double from, double except) {
    return (double)value >= from && (double)value != except;
}

static struct frs_unrated examine(const struct frs_rows *rows, float suspect, double from, double except) {
    struct others others = {.least = INFINITY, .most = -INFINITY};
    size_t n = 0, n_rows = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (!is_taken(rows->values[i], from, except))
            continue;
        n_rows++;
        if (rows->values[i] == suspect)
            n++;
        else
            add(&others, rows->values[i]);
    }
    if (!looks_so(&others, suspect, n, n_rows))
        return (struct frs_unrated){0};
    return (struct frs_unrated){.value = (double)suspect,
        .n = n,
        .n_rows = n_rows,
        .least = (double)others.least,
        .most = (double)others.most};
}

struct frs_unrated frs_unrated_find(const struct frs_rows *rows, double from, double except) {
    static const float low[] = {0, -1, -99}, high[] = {99, 999};
    float least = INFINITY, most = -INFINITY;
    struct frs_unrated found = {0};
    for (size_t i = 0; i < rows->n; i++) {
        if (!is_taken(rows->values[i], from, except))
            continue;
        least = fminf(least, rows->values[i]);
        most = fmaxf(most, rows->values[i]);
    }
    for (size_t i = 0; i < sizeof low / sizeof *low && found.n == 0; i++)
        if (least == low[i])
            found = examine(rows, least, from, except);
    for (size_t i = 0; i < sizeof high / sizeof *high && found.n == 0; i++)
        if (most == high[i])
            found = examine(rows, most, from, except);
    return found;
}

char *frs_unrated_text(const struct frs_unrated *found) {
    char value[32], least[32], most[32];
    if (found->n == 0)
        return NULL;
    frs_text_number(found->value, value, sizeof value);
    return frs_format("%s may mean \"no rating\": %zu of %zu rows (%.3g %%) have it, all others have %s to "
                      "%s; data.unrated "
                      "= %s leaves them out",
        value, found->n, found->n_rows, 100 * (double)found->n / (double)found->n_rows,
        frs_text_number(found->least, least, sizeof least), frs_text_number(found->most, most, sizeof most),
        value);
}
