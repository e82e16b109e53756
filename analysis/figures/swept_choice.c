/* Which metrics are drawn against which axes: what is asked for, otherwise what suits the sweep. */
#include "analysis/figures/swept.h"
#include "analysis/statistics/metric_names.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct frs_axes *axes_of(const struct frs_drawing *d) {
    return &d->sweep->plan->sweep.axes;
}

/* Whether more than one of its levels is wanted. */
static bool varies(const struct frs_drawing *d, size_t axis) {
    return d->fixed[axis] == FRS_ANY_LEVEL && axes_of(d)->axes[axis].n > 1;
}

/* The axes that vary, have this role, and are neither x nor y. */
static struct frs_level_group group_of(
    const struct frs_drawing *d, const struct frs_swept *swept, bool designs, bool environments) {
    const struct frs_axes *axes = axes_of(d);
    struct frs_level_group group = {.axes = frs_alloc(axes->n + 1, sizeof *group.axes), .n = 1};
    for (size_t a = 0; a < axes->n; a++) {
        bool is_environment = axes->axes[a].role == FRS_ROLE_ENVIRONMENT;
        if (a == swept->x || a == swept->y || !varies(d, a) || !(is_environment ? environments : designs))
            continue;
        group.axes[group.n_axes++] = a;
        group.n *= axes->axes[a].n;
    }
    return group;
}

/* Columns and rows of a heat map stand side by side, in the order of their values. */
static void make_even(struct frs_places *places) {
    places->scale = FRS_SCALE_CATEGORIES;
    for (size_t i = 0; i < places->n; i++)
        places->at[i] = (double)(i + 1);
}

static void fini(struct frs_swept *swept) {
    frs_places_fini(&swept->x_places);
    frs_places_fini(&swept->y_places);
    free(swept->lines.axes);
    free(swept->panels.axes);
}

static enum frs_status draw(struct frs_drawing *d, const char *metric, size_t x, size_t y,
    enum frs_scale scale, bool asked, struct frs_errors *errors) {
    struct frs_swept swept = {.sweep = d->sweep, .metric = metric, .x = x, .y = y, .fixed = d->fixed};
    bool is_map = y != FRS_SWEPT_NONE;
    enum frs_status status = frs_places_find(&axes_of(d)->axes[x], scale, &swept.x_places, errors);
    if (status == FRS_OK && is_map)
        status = frs_places_find(&axes_of(d)->axes[y], FRS_SCALE_ANY, &swept.y_places, errors);
    swept.lines = group_of(d, &swept, !is_map, false);
    swept.panels = group_of(d, &swept, is_map, true);
    bool fits = swept.lines.n <= FRS_SWEPT_LINES && swept.panels.n <= FRS_SWEPT_PANELS;
    if (status == FRS_OK && !fits && asked)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "--against %s: would be %zu lines in each of %zu panels, which are more than %d and %d; fewer: "
            "--only "
            "'AXIS=LABEL'",
            axes_of(d)->axes[x].name, swept.lines.n, swept.panels.n, FRS_SWEPT_LINES, FRS_SWEPT_PANELS);
    if (status == FRS_OK && is_map) {
        make_even(&swept.x_places);
        make_even(&swept.y_places);
    }
    if (status == FRS_OK && fits)
        status =
            is_map ? frs_swept_draw_heat_map(d, &swept, errors) : frs_swept_draw_lines(d, &swept, errors);
    fini(&swept);
    return status;
}

/* ---- what suits a sweep ---- */

/* Quality, time and bytes, to the target if it is reached at all. */
static size_t suitable_metrics(const struct frs_drawing *d, const char *metrics[3]) {
    size_t n = 0;
    bool reached = false;
    for (size_t i = 0; i < d->ranking->n && !reached; i++)
        reached = frs_replicates_all_have(d->ranking->list[i].runs, FRS_TARGET_TIME);
    if (d->quality)
        metrics[n++] = d->quality;
    metrics[n++] = reached ? FRS_TARGET_TIME : "simulated_s";
    metrics[n++] = reached ? FRS_TARGET_SENT : "bytes.sent";
    return n;
}

static bool suits(const struct frs_drawing *d, size_t axis) {
    const struct frs_axis *own = &axes_of(d)->axes[axis];
    return varies(d, axis) && (own->role == FRS_ROLE_ENVIRONMENT || frs_places_are_numbers(own));
}

/* ---- what is asked for ---- */

static char *axis_names(const struct frs_drawing *d) {
    char *text = frs_strdup("");
    for (size_t a = 0; a < axes_of(d)->n; a++) {
        char *longer = frs_format("%s%s%s", text, *text ? ", " : "", axes_of(d)->axes[a].name);
        free(text);
        text = longer;
    }
    return text;
}

static enum frs_status find_axis(const struct frs_drawing *d, const char *option, const char *name,
    size_t *axis, struct frs_errors *errors) {
    const struct frs_axes *axes = axes_of(d);
    for (*axis = 0; *axis < axes->n && strcmp(axes->axes[*axis].name, name) != 0;)
        ++*axis;
    char *all = axis_names(d);
    enum frs_status status = FRS_OK;
    if (*axis == axes->n)
        status = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: no axis \"%s\"; allowed: %s", option, name, *all ? all : "none");
    else if (!varies(d, *axis))
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: the axis %s has one level here; nothing varies along it", option, name);
    free(all);
    return status;
}

static enum frs_status check_metric(
    const struct frs_drawing *d, const char *metric, struct frs_errors *errors) {
    for (size_t i = 0; i < d->sweep->n_names; i++)
        if (strcmp(d->sweep->names[i], metric) == 0)
            return FRS_OK;
    char *complaint = frs_metric_complaint(metric, d->sweep->cut_offs);
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT, "--metric %s: %s", metric,
        complaint ? complaint : "no run of this sweep has it; cells.csv there has all metrics that are");
    free(complaint);
    return status;
}

enum frs_status frs_draw_swept(
    struct frs_drawing *d, const struct frs_figures_request *request, struct frs_errors *errors) {
    const char *own[3];
    size_t n_own = suitable_metrics(d, own), x = FRS_SWEPT_NONE, y = FRS_SWEPT_NONE,
           n = request->n_metrics ? request->n_metrics : n_own;
    const char *const *metrics = request->n_metrics ? request->metrics : own;
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < request->n_metrics && status == FRS_OK; i++)
        status = check_metric(d, metrics[i], errors);
    if (status == FRS_OK && request->against)
        status = find_axis(d, "--against", request->against, &x, errors);
    if (status == FRS_OK && request->upwards)
        status = find_axis(d, "--and", request->upwards, &y, errors);
    if (status == FRS_OK && request->upwards && (!request->against || x == y))
        status = frs_errors_add(errors, FRS_ERR_INPUT, "--and: needs --against AXIS, another axis");
    for (size_t a = 0; a < axes_of(d)->n && status == FRS_OK; a++) {
        bool wanted = request->against ? a == x : suits(d, a);
        for (size_t i = 0; i < n && wanted && status == FRS_OK; i++)
            status = draw(d, metrics[i], a, y, request->scale, request->against != NULL, errors);
    }
    if (status == FRS_OK)
        status = frs_draw_tables(d, metrics, n, errors);
    return status;
}
