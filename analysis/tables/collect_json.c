/* A sweep's results as an object of the format fedrecsim-collect-1 (docs/schemas). */
#include "analysis/read/json.h"
#include "analysis/tables/collect_json.h"

#include <math.h>
#include <string.h>

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *levels_object(const struct frs_sweep_plan *plan, size_t cell) {
    json_t *levels = json_object();
    for (size_t axis = 0; axis < plan->sweep.axes.n; axis++)
        frs_json_set(levels, plan->sweep.axes.axes[axis].name,
            json_string(frs_axes_label(&plan->sweep.axes, cell, axis)));
    return levels;
}

static json_t *metric_object(const struct frs_replicates *replicates, const char *metric) {
    struct frs_figure figure = frs_replicates_figure(replicates, metric);
    if (figure.estimate.n == 0)
        return NULL;
    json_t *object = json_object();
    frs_json_set(object, "n", json_integer((json_int_t)figure.estimate.n));
    frs_json_set(object, "censored", json_integer((json_int_t)figure.censored));
    frs_json_set(object, "mean", number(figure.estimate.mean));
    frs_json_set(object, "sd", number(figure.estimate.sd));
    frs_json_set(object, "ci_low", number(figure.estimate.mean - figure.estimate.half_width));
    frs_json_set(object, "ci_high", number(figure.estimate.mean + figure.estimate.half_width));
    return object;
}

static json_t *cell_object(const struct frs_sweep_results *sweep, size_t cell) {
    json_t *object = json_object(), *metrics = json_object();
    frs_json_set(object, "cell", json_integer((json_int_t)cell));
    frs_json_set(object, "levels", levels_object(sweep->plan, cell));
    for (size_t k = 0; k < sweep->n_names; k++) {
        json_t *metric = metric_object(&sweep->cells[cell], sweep->names[k]);
        if (metric)
            frs_json_set(metrics, sweep->names[k], metric);
    }
    frs_json_set(object, "metrics", metrics);
    return object;
}

/* A point as plan and results have it, without its metrics, which are in points.csv. */
static json_t *point_object(const struct frs_sweep_results *sweep, size_t i) {
    const struct frs_sweep_point *point = &sweep->plan->points[i];
    const struct frs_point_results *results = &sweep->points[i];
    json_t *object = json_object();
    frs_json_set(object, "point", json_integer((json_int_t)i));
    frs_json_set(object, "cell", json_integer((json_int_t)point->cell));
    frs_json_set(object, "replicate", json_integer((json_int_t)point->replicate));
    frs_json_set(object, "seed", json_integer((json_int_t)point->seed));
    frs_json_set(object, "status", json_string(results->status));
    frs_json_set(object, "complaint", results->complaint ? json_string(results->complaint) : json_null());
    return object;
}

json_t *frs_collect_object(const struct frs_sweep_results *sweep, const char *baseline) {
    static const char *const files[] = {
        "sweep.sqlite", "points.csv", "cells.csv", "differences.csv", "tables.md"};
    json_t *root = json_object(), *cells = json_array(), *points = json_array(), *written = json_array();
    frs_json_set(root, "format", json_string("fedrecsim-collect-1"));
    frs_json_set(root, "folder", json_string(sweep->folder));
    frs_json_set(root, "name", json_string(sweep->plan->name));
    frs_json_set(root, "baseline", baseline ? json_string(baseline) : json_null());
    frs_json_set(root, "finished", json_integer((json_int_t)sweep->n_finished));
    frs_json_set(root, "lacking", json_integer((json_int_t)frs_sweep_results_lacking(sweep)));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        frs_json_append(written, json_string(files[i]));
    for (size_t i = 0; i < frs_axes_cells(&sweep->plan->sweep.axes); i++)
        frs_json_append(cells, cell_object(sweep, i));
    for (size_t i = 0; i < sweep->plan->n_points; i++)
        frs_json_append(points, point_object(sweep, i));
    frs_json_set(root, "files", written);
    frs_json_set(root, "cells", cells);
    frs_json_set(root, "points", points);
    return root;
}
