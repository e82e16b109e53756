/* plan.json: written. */
#include "analysis/plan/plan.h"
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JSON_FLAGS (JSON_INDENT(1) | JSON_REAL_PRECISION(17))

static json_t *settings_object(const struct frs_setting *settings, size_t n) {
    json_t *object = json_object();
    for (size_t i = 0; i < n; i++)
        frs_json_set(object, settings[i].key, json_string(settings[i].text));
    return object;
}

static json_t *texts_array(char *const *texts) {
    json_t *array = json_array();
    for (; *texts; texts++)
        frs_json_append(array, json_string(*texts));
    return array;
}

static json_t *axes_array(const struct frs_axes *axes) {
    json_t *array = json_array();
    for (size_t a = 0; a < axes->n; a++) {
        json_t *axis = json_object(), *levels = json_array();
        for (size_t i = 0; i < axes->axes[a].n; i++)
            frs_json_append(levels, json_string(axes->axes[a].levels[i].label));
        frs_json_set(axis, "name", json_string(axes->axes[a].name));
        frs_json_set(axis, "role", json_string(frs_role_name(axes->axes[a].role)));
        frs_json_set(axis, "levels", levels);
        frs_json_set(axis, "keys", texts_array(axes->axes[a].keys));
        frs_json_append(array, axis);
    }
    return array;
}

static json_t *text_or_null(const char *text) {
    return text ? json_string(text) : json_null();
}

static json_t *target_object(const struct frs_target_spec *target) {
    if (!target->metric)
        return json_null();
    json_t *object = json_object();
    frs_json_set(object, "metric", json_string(target->metric));
    frs_json_set(object, "comparison", json_string(target->lower ? "<=" : ">="));
    frs_json_set(object, "non_federated", text_or_null(target->non_federated));
    frs_json_set(object, "value", json_real(target->bar));
    return object;
}

static json_t *stop_object(const struct frs_stop *stop) {
    if (!stop->metric)
        return json_null();
    json_t *object = json_object();
    frs_json_set(object, "metric", json_string(stop->metric));
    frs_json_set(object, "width", json_real(stop->width));
    frs_json_set(object, "min_replicates", json_integer((json_int_t)stop->min_replicates));
    return object;
}

static json_t *point_object(const struct frs_sweep_plan *plan, size_t index) {
    const struct frs_sweep_point *point = &plan->points[index];
    const struct frs_axes *axes = &plan->sweep.axes;
    json_t *object = json_object(), *levels = json_array();
    for (size_t a = 0; a < axes->n; a++)
        frs_json_append(levels, json_string(frs_axes_label(axes, point->cell, a)));
    frs_json_set(object, "index", json_integer((json_int_t)index));
    frs_json_set(object, "cell", json_integer((json_int_t)point->cell));
    frs_json_set(object, "levels", levels);
    frs_json_set(object, "replicate", json_integer((json_int_t)point->replicate));
    frs_json_set(object, "seed", json_integer((json_int_t)point->seed));
    frs_json_set(object, "hash", json_string(point->hash));
    frs_json_set(object, "learning", json_string(point->learning));
    frs_json_set(object, "settings", settings_object(point->settings, point->n_settings));
    return object;
}

static void set_plugins(json_t *root, const struct frs_sweep_plan *plan) {
    json_t *array = json_array();
    for (size_t i = 0; i < plan->n_plugins; i++) {
        json_t *object = json_object();
        frs_json_set(object, "path", json_string(plan->plugins[i].path));
        frs_json_set(object, "digest", json_string(plan->plugins[i].digest));
        frs_json_append(array, object);
    }
    if (plan->n_plugins > 0)
        frs_json_set(root, "plugins", array);
    else
        json_decref(array);
}

static json_t *plan_object(const struct frs_sweep_plan *plan) {
    json_t *root = json_object(), *points = json_array();
    frs_json_set(root, "format", json_string(FRS_PLAN_FORMAT));
    frs_json_set(root, "name", json_string(plan->name));
    frs_json_set(root, "version", json_string(plan->version));
    if (plan->working_folder)
        frs_json_set(root, "working_folder", json_string(plan->working_folder));
    set_plugins(root, plan);
    frs_json_set(root, "axes", axes_array(&plan->sweep.axes));
    frs_json_set(root, "replicates", json_integer((json_int_t)plan->sweep.replicates));
    frs_json_set(root, "metrics", texts_array(plan->sweep.metrics));
    frs_json_set(root, "baseline", text_or_null(plan->sweep.baseline));
    frs_json_set(root, "target", target_object(&plan->sweep.target));
    frs_json_set(root, "early_stop", stop_object(&plan->sweep.stop));
    frs_json_set(root, "settings", settings_object(plan->common, plan->n_common));
    for (size_t i = 0; i < plan->n_points; i++)
        frs_json_append(points, point_object(plan, i));
    frs_json_set(root, "points", points);
    return root;
}

static bool dump(json_t *root, const char *path) {
    FILE *file = frs_create(path);
    if (!file)
        return false;
    bool good = json_dumpf(root, file, JSON_FLAGS) == 0 && fputc('\n', file) != EOF && fflush(file) == 0 &&
                !ferror(file) &&
                fsync(fileno(file)) == 0; /* glibc's fwrite may succeed where a flush failed */
    return fclose(file) == 0 && good;
}

enum frs_status frs_sweep_plan_write(
    const struct frs_sweep_plan *plan, const char *path, struct frs_errors *errors) {
    char *temporary = frs_format("%s.partial", path);
    json_t *root = plan_object(plan);
    enum frs_status status = FRS_OK;
    if (!dump(root, temporary) || rename(temporary, path) != 0) {
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: cannot be written: %s", path, strerror(errno));
        unlink(temporary);
    }
    json_decref(root);
    free(temporary);
    return status;
}
