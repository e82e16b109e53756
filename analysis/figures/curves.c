#include "analysis/figures/curves.h"
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
    const char *const names[] = {"round", "end_s", "down_bytes", "up_bytes", quality};
    size_t columns[5];
    double values[5], bytes = 0;
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < 5 && status == FRS_OK; i++)
        status = frs_records_column(&run->rounds, names[i], &columns[i], errors);
    for (size_t row = 0; row < run->rounds.n && status == FRS_OK; row++) {
        for (size_t i = 0; i < 5 && status == FRS_OK; i++)
            status = frs_records_number(&run->rounds, row, columns[i], &values[i], errors);
        bytes += values[2] + values[3];
        if (status == FRS_OK && isfinite(values[4]) && isfinite(values[1]))
            add_point(curve, values[0], values[1], bytes, values[4]);
    }
    curve->runs++;
    return status;
}

void frs_curve_fini(struct frs_curve *curve) {
    free(curve->points);
    *curve = (struct frs_curve){0};
}
