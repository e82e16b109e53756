/* Two plans: whether they mean the same runs, and the order that one takes over from the other, so that
 * points of a folder keep their numbers. */
#include "sim/sweep/plan.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_axis(const struct frs_axis *a, const struct frs_axis *b) {
    bool same = a->n == b->n && same_text(a->name, b->name);
    for (size_t k = 0; same && k < a->n; k++)
        same = same_text(a->levels[k].label, b->levels[k].label);
    return same;
}

/* The name of the first axis that only one of them has, or that has other levels; NULL: there is none. */
static const char *differing_axis(const struct frs_axes *a, const struct frs_axes *b) {
    for (size_t i = 0; i < a->n || i < b->n; i++)
        if (i >= a->n || i >= b->n || !same_axis(&a->axes[i], &b->axes[i]))
            return i < a->n ? a->axes[i].name : b->axes[i].name;
    return NULL;
}

static bool same_stop(const struct frs_stop *a, const struct frs_stop *b) {
    return same_text(a->metric, b->metric) &&
           (!a->metric || (a->width == b->width && a->min_replicates == b->min_replicates));
}

/* The first key of which point `a` of `from` says something that point `b` of `other` does not. */
static const char *differing_key(
    const struct frs_sweep_plan *from, size_t a, const struct frs_sweep_plan *other, size_t b) {
    for (size_t i = 0; i < from->n_common + from->points[a].n_settings; i++) {
        const struct frs_setting *setting =
            i < from->n_common ? &from->common[i] : &from->points[a].settings[i - from->n_common];
        if (!same_text(setting->text, frs_sweep_plan_setting(other, b, setting->key)))
            return setting->key;
    }
    return NULL;
}

/* Whether point `was_at` of the plan that was written is point `is_at` of the one that is wanted. */
static enum frs_status compare_point(const struct frs_sweep_plan *written, size_t was_at,
    const struct frs_sweep_plan *wanted, size_t is_at, const char *path, const char *where,
    struct frs_errors *errors) {
    if (strcmp(written->points[was_at].hash, wanted->points[is_at].hash) == 0)
        return FRS_OK;
    const char *key = differing_key(wanted, is_at, written, was_at);
    if (!key)
        key = differing_key(written, was_at, wanted, is_at);
    const char *was = key ? frs_sweep_plan_setting(written, was_at, key) : NULL;
    const char *is = key ? frs_sweep_plan_setting(wanted, is_at, key) : NULL;
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: is of another sweep: %s was %s%s%s and is %s%s%s%s%s; choose another place with --out DIR", path,
        key ? key : "the hash", was ? "\"" : "", was ? was : "not there", was ? "\"" : "", is ? "\"" : "",
        is ? is : "not there", is ? "\"" : "", where ? " in " : "", where ? where : "");
}

static enum frs_status refuse(const char *path, const char *what, struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: is of another sweep: %s; choose another place with --out DIR", path, what);
}

static enum frs_status compare_plugins(const struct frs_sweep_plan *written,
    const struct frs_sweep_plan *wanted, const char *path, struct frs_errors *errors) {
    size_t n = written->n_plugins > wanted->n_plugins ? written->n_plugins : wanted->n_plugins;
    for (size_t i = 0; i < n; i++) {
        const struct frs_plan_plugin *was = i < written->n_plugins ? &written->plugins[i] : NULL,
                                     *is = i < wanted->n_plugins ? &wanted->plugins[i] : NULL;
        if (was && is && strcmp(was->digest, is->digest) == 0)
            continue;
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is of another sweep: the plug-in %s %s; choose another place with --out DIR", path,
            was ? was->path : is->path,
            !is                                ? "is not loaded"
            : !was                             ? "was not loaded"
            : strcmp(was->path, is->path) == 0 ? "has changed"
                                               : "is another one");
    }
    return FRS_OK;
}

enum frs_status frs_sweep_plan_compare(const struct frs_sweep_plan *written,
    const struct frs_sweep_plan *wanted, bool extends, const char *path, const char *where,
    struct frs_errors *errors) {
    const char *axis = differing_axis(&written->sweep.axes, &wanted->sweep.axes);
    if (!same_stop(&written->sweep.stop, &wanted->sweep.stop))
        return refuse(path, "its replicates stop early in another way", errors);
    if (!extends && axis)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is of another sweep: its axes are others (%s); choose another place with --out DIR", path,
            axis);
    if (!extends && written->sweep.replicates != wanted->sweep.replicates)
        return refuse(path, "its number of replicates is another", errors);
    if (written->n_points > wanted->n_points)
        return refuse(path, "it has more points", errors);
    enum frs_status status = compare_plugins(written, wanted, path, errors);
    for (size_t i = 0; i < written->n_points && status == FRS_OK; i++)
        status = compare_point(written, i, wanted, i, path, where, errors);
    return status;
}

/* ---- the order of a plan that is there ---- */

/* The number of a level by its label; SIZE_MAX: it is none of the axis. */
static size_t level_called(const struct frs_axis *axis, const char *label) {
    for (size_t i = 0; i < axis->n; i++)
        if (strcmp(axis->levels[i].label, label) == 0)
            return i;
    return SIZE_MAX;
}

/* Whether every axis has the levels that it had. */
static enum frs_status check_levels(const struct frs_sweep_plan *written, const struct frs_sweep_plan *wanted,
    const char *path, struct frs_errors *errors) {
    const struct frs_axes *before = &written->sweep.axes, *now = &wanted->sweep.axes;
    char line[80];
    bool same = before->n == now->n;
    for (size_t a = 0; same && a < now->n; a++)
        same = same_text(before->axes[a].name, now->axes[a].name);
    if (!same)
        return refuse(path, "--extend adds levels and replicates, and its axes are others", errors);
    for (size_t a = 0; a < before->n; a++)
        for (size_t i = 0; i < before->axes[a].n; i++)
            if (level_called(&now->axes[a], before->axes[a].levels[i].label) == SIZE_MAX)
                return frs_errors_add(errors, FRS_ERR_INPUT,
                    "%s: --extend keeps what is there, and \"%s\" of axis %s is missing; allowed: all its "
                    "levels, and more",
                    path, frs_text_line(before->axes[a].levels[i].label, line, sizeof line),
                    before->axes[a].name);
    if (written->sweep.replicates > wanted->sweep.replicates)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: --extend keeps what is there, and that has %zu replicates; allowed: as many, or more", path,
            written->sweep.replicates);
    return FRS_OK;
}

/* Where a point of `written` is among those of `wanted`, which are in the order of cells and replicates. */
static size_t place_of(
    const struct frs_sweep_plan *written, size_t point, const struct frs_sweep_plan *wanted) {
    const struct frs_axes *before = &written->sweep.axes, *now = &wanted->sweep.axes;
    size_t cell = 0, old = written->points[point].cell;
    for (size_t a = 0; a < now->n; a++)
        cell = cell * now->axes[a].n + level_called(&now->axes[a], frs_axes_label(before, old, a));
    return cell * wanted->sweep.replicates + written->points[point].replicate - 1;
}

/* Those of `written` first, in their order, then the others. */
static void reorder(struct frs_sweep_plan *wanted, const size_t *places, size_t n) {
    struct frs_sweep_point *points = frs_alloc(wanted->n_points, sizeof *points);
    bool *taken = frs_alloc(wanted->n_points, sizeof *taken);
    size_t at = 0;
    for (; at < n; at++) {
        points[at] = wanted->points[places[at]];
        taken[places[at]] = true;
    }
    for (size_t i = 0; i < wanted->n_points; i++)
        if (!taken[i])
            points[at++] = wanted->points[i];
    free(taken);
    free(wanted->points);
    wanted->points = points;
}

enum frs_status frs_sweep_plan_follow(struct frs_sweep_plan *wanted, const struct frs_sweep_plan *written,
    bool extends, const char *path, struct frs_errors *errors) {
    bool same = !differing_axis(&written->sweep.axes, &wanted->sweep.axes) &&
                written->sweep.replicates == wanted->sweep.replicates;
    if (!extends && !same)
        return FRS_OK; /* frs_sweep_plan_compare tells what is other */
    enum frs_status status = check_levels(written, wanted, path, errors);
    size_t n = written->n_points, *places = frs_alloc(n + 1, sizeof *places);
    for (size_t i = 0; i < n && status == FRS_OK; i++) {
        places[i] = place_of(written, i, wanted);
        status = compare_point(written, i, wanted, places[i], path, NULL, errors);
    }
    if (status == FRS_OK)
        reorder(wanted, places, n);
    free(places);
    return status;
}
