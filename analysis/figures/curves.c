#include "analysis/figures/curves.h"
#include "analysis/read/sent_bytes.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The point of a round, new or not. */
static struct frs_curve_point *point_of(struct frs_curve *curve, double round) {
    size_t at = curve->n;
    while (at > 0 && curve->points[at - 1].round > round)
        at--;
    if (at > 0 && curve->points[at - 1].round == round)
        return &curve->points[at - 1];
    curve->points = frs_grow(curve->points, curve->n + 1, &curve->capacity, sizeof *curve->points);
    for (size_t i = curve->n++; i > at; i--)
        curve->points[i] = curve->points[i - 1];
    curve->points[at] = (struct frs_curve_point){.round = round, .least = INFINITY, .most = -INFINITY};
    return &curve->points[at];
}

static void add_point(struct frs_curve *curve, double round, double time_s, double bytes, double quality) {
    struct frs_curve_point *point = point_of(curve, round);
    point->n++;
    point->time_s += time_s;
    point->bytes += bytes;
    point->quality += quality;
    point->least = fmin(point->least, quality);
    point->most = fmax(point->most, quality);
}

enum frs_status frs_curve_add(struct frs_curve *curve, const struct frs_run_results *run, const char *quality,
    struct frs_errors *errors) {
    const char *const names[] = {"round", "end_s", quality};
    enum { ROUND, END, QUALITY, N };
    size_t columns[N];
    double values[N];
    struct frs_sent_columns sent_columns;
    struct frs_sent_bytes sent = {0};
    enum frs_status status = frs_sent_find(&run->rounds, &sent_columns, errors);
    for (size_t i = 0; i < N && status == FRS_OK; i++)
        status = frs_records_column(&run->rounds, names[i], &columns[i], errors);
    for (size_t row = 0; row < run->rounds.n && status == FRS_OK; row++) {
        for (size_t i = 0; i < N && status == FRS_OK; i++)
            status = frs_records_number(&run->rounds, row, columns[i], &values[i], errors);
        if (status == FRS_OK)
            status = frs_sent_add(&run->rounds, row, &sent_columns, &sent, errors);
        if (status == FRS_OK && isfinite(values[QUALITY]) && isfinite(values[END]))
            add_point(curve, values[ROUND], values[END], sent.all, values[QUALITY]);
    }
    curve->runs++;
    return status;
}

void frs_curve_fini(struct frs_curve *curve) {
    free(curve->points);
    *curve = (struct frs_curve){0};
}
