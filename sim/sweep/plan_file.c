#include "sim/sweep/plan_file.h"

#include <string.h>

enum frs_status frs_sweep_plan_read(
    const char *path, struct frs_sweep_plan **out, struct frs_errors *errors) {
    enum frs_status status = frs_sweep_plan_load(path, out, errors);
    if (status != FRS_OK || !(*out)->lacks)
        return status;
    status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"%s\" is missing or wrong", path, (*out)->lacks);
    frs_sweep_plan_destroy(*out);
    *out = NULL;
    return status;
}

/* --- comparing --- */

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_axes(const struct frs_axes *a, const struct frs_axes *b) {
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++) {
        same = a->axes[i].n == b->axes[i].n && same_text(a->axes[i].name, b->axes[i].name);
        for (size_t k = 0; same && k < a->axes[i].n; k++)
            same = same_text(a->axes[i].levels[k].label, b->axes[i].levels[k].label);
    }
    return same;
}

static bool same_stop(const struct frs_stop *a, const struct frs_stop *b) {
    return same_text(a->metric, b->metric) &&
           (!a->metric || (a->width == b->width && a->min_replicates == b->min_replicates));
}

/* The first key of which `from` says something that `other` does not. */
static const char *differing_key(
    const struct frs_sweep_plan *from, const struct frs_sweep_plan *other, size_t point) {
    for (size_t i = 0; i < from->n_common + from->points[point].n_settings; i++) {
        const struct frs_setting *setting =
            i < from->n_common ? &from->common[i] : &from->points[point].settings[i - from->n_common];
        if (!same_text(setting->text, frs_sweep_plan_setting(other, point, setting->key)))
            return setting->key;
    }
    return NULL;
}

static enum frs_status compare_point(const struct frs_sweep_plan *written,
    const struct frs_sweep_plan *wanted, size_t point, const char *path, struct frs_errors *errors) {
    if (strcmp(written->points[point].hash, wanted->points[point].hash) == 0)
        return FRS_OK;
    const char *key = differing_key(wanted, written, point);
    if (!key)
        key = differing_key(written, wanted, point);
    const char *was = key ? frs_sweep_plan_setting(written, point, key) : NULL;
    const char *is = key ? frs_sweep_plan_setting(wanted, point, key) : NULL;
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: is of another sweep: %s was %s%s%s and is %s%s%s; choose another place with --out DIR", path,
        key ? key : "the hash", was ? "\"" : "", was ? was : "not there", was ? "\"" : "", is ? "\"" : "",
        is ? is : "not there", is ? "\"" : "");
}

enum frs_status frs_sweep_plan_compare(const struct frs_sweep_plan *written,
    const struct frs_sweep_plan *wanted, const char *path, struct frs_errors *errors) {
    const char *what = NULL;
    if (!same_axes(&written->sweep.axes, &wanted->sweep.axes))
        what = "its axes are others";
    else if (written->sweep.replicates != wanted->sweep.replicates)
        what = "its number of replicates is another";
    else if (!same_stop(&written->sweep.stop, &wanted->sweep.stop))
        what = "its replicates stop early in another way";
    if (what)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is of another sweep: %s; choose another place with --out DIR", path, what);
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < wanted->n_points && status == FRS_OK; i++)
        status = compare_point(written, wanted, i, path, errors);
    return status;
}
