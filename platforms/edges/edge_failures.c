#include "platforms/edges/edge_failures.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An edge's failures so far, ascending, none within the absence after another one. */
struct course {
    double *named; /* [n_named], ascending */
    size_t n_named, named_capacity, next_named;
    double drawn_s; /* the next one that is drawn */
    struct frs_rng rng;
    double *died; /* [n] */
    size_t n, capacity;
};

struct frs_edge_failures {
    double mtbf_s, restart_s;
    uint32_t n_edges;
    struct course *courses; /* [n_edges] */
};

static double draw(const struct frs_edge_failures *failures, struct course *course, double from_s) {
    return failures->mtbf_s > 0 ? from_s + failures->mtbf_s * frs_rng_exponential(&course->rng) : INFINITY;
}

/* "2 at 30 s" */
static bool read_one(struct frs_edge_failures *failures, char *item) {
    char *end, *at = strstr(item, " at ");
    unsigned long edge = strtoul(item, &end, 10);
    double time_s;
    if (!at || end != at || *item < '0' || *item > '9' || edge >= failures->n_edges ||
        frs_units_parse(at + strlen(" at "), FRS_TIME, &time_s) != FRS_OK || !(time_s > 0))
        return false;
    struct course *course = &failures->courses[edge];
    course->named =
        frs_grow(course->named, course->n_named + 1, &course->named_capacity, sizeof *course->named);
    course->named[course->n_named++] = time_s;
    return true;
}

static bool read_named(
    struct frs_edge_failures *failures, const struct frs_values *values, struct frs_errors *errors) {
    char *copy = frs_strdup(frs_values_text(values, "fails")), *rest = copy, *item, shown[48];
    bool good = true;
    if (copy[strspn(copy, " ")] == '\0')
        rest = NULL;
    while (good && (item = strsep(&rest, ","))) {
        item += strspn(item, " ");
        for (size_t length = strlen(item); length > 0 && item[length - 1] == ' '; length--)
            item[length - 1] = '\0';
        good = read_one(failures, item);
        if (!good)
            frs_values_error(values, "fails", errors,
                "\"%s\" is no failure of an edge; allowed: numbers of edges below %u and times after the "
                "start, "
                "such as \"0 at 30 s, 2 at 5 min\"",
                frs_text_line(item, shown, sizeof shown), failures->n_edges);
    }
    free(copy);
    return good;
}

struct frs_edge_failures *frs_edge_failures_read(
    const struct frs_values *values, uint32_t n_edges, uint64_t seed, bool *ok, struct frs_errors *errors) {
    struct frs_edge_failures *failures = frs_alloc(1, sizeof *failures);
    size_t n = 0;
    *failures = (struct frs_edge_failures){.mtbf_s = frs_values_real(values, "mtbf"), .n_edges = n_edges};
    failures->courses = frs_alloc(n_edges, sizeof *failures->courses);
    *ok = read_named(failures, values, errors);
    for (uint32_t i = 0; i < n_edges; i++) {
        struct course *course = &failures->courses[i];
        if (course->n_named > 0)
            qsort(course->named, course->n_named, sizeof(double), frs_compare_doubles);
        n += course->n_named;
        course->rng = frs_rng_stream(seed, i, 0, 0, FRS_RNG_EDGE_FAILURE);
        course->drawn_s = draw(failures, course, 0);
    }
    if (*ok && (n > 0 || failures->mtbf_s > 0)) {
        failures->restart_s = frs_values_real(values, "restart");
        return failures;
    }
    frs_edge_failures_destroy(failures);
    return NULL;
}

void frs_edge_failures_destroy(struct frs_edge_failures *failures) {
    if (!failures)
        return;
    for (uint32_t i = 0; i < failures->n_edges; i++) {
        free(failures->courses[i].named);
        free(failures->courses[i].died);
    }
    free(failures->courses);
    free(failures);
}

/* Adds the failure after the last one. */
static void go_on(const struct frs_edge_failures *failures, struct course *course) {
    double back_s = course->n > 0 ? course->died[course->n - 1] + failures->restart_s : 0;
    while (course->next_named < course->n_named && course->named[course->next_named] < back_s)
        course->next_named++;
    double named_s = course->next_named < course->n_named ? course->named[course->next_named] : INFINITY,
           died_s = fmin(named_s, course->drawn_s);
    course->died = frs_grow(course->died, course->n + 1, &course->capacity, sizeof *course->died);
    course->died[course->n++] = died_s;
    course->next_named += named_s == died_s && named_s < INFINITY;
    course->drawn_s = draw(failures, course, died_s + failures->restart_s);
}

/* The last failure at or before time_s, as a place from 1 on; 0: there is none. The one behind it is known.
 */
static size_t last_before(const struct frs_edge_failures *failures, struct course *course, double time_s) {
    while (course->n == 0 || course->died[course->n - 1] <= time_s)
        go_on(failures, course);
    size_t low = 0, high = course->n - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (course->died[middle] <= time_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double frs_edge_failures_up_s(struct frs_edge_failures *failures, uint32_t edge, double time_s) {
    if (!failures || isinf(time_s))
        return time_s;
    struct course *course = &failures->courses[edge];
    size_t last = last_before(failures, course, time_s);
    double back_s = last > 0 ? course->died[last - 1] + failures->restart_s : 0;
    return fmax(time_s, back_s);
}

double frs_edge_failures_next_s(struct frs_edge_failures *failures, uint32_t edge, double time_s) {
    if (!failures || isinf(time_s))
        return INFINITY;
    struct course *course = &failures->courses[edge];
    return course->died[last_before(failures, course, time_s)];
}
