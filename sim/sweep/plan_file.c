#include "sim/sweep/plan_file.h"
#include "analysis/read/files.h"
#include "sim/base/create.h"
#include "sim/base/memory.h"
#include "sim/run/report/json_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT "fedrecsim-plan-1"
#define JSON_FLAGS (JSON_INDENT(1) | JSON_REAL_PRECISION(17))

/* --- writing --- */

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

static json_t *target_object(const struct frs_goal *target) {
    if (!target->metric)
        return json_null();
    json_t *object = json_object();
    frs_json_set(object, "metric", json_string(target->metric));
    frs_json_set(object, "comparison", json_string(target->lower ? "<=" : ">="));
    frs_json_set(object, "reference", text_or_null(target->reference));
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
        frs_json_append(
            levels, json_string(axes->axes[a].levels[frs_axes_level(axes, point->cell, a)].label));
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

static json_t *plan_object(const struct frs_sweep_plan *plan) {
    json_t *root = json_object(), *points = json_array();
    frs_json_set(root, "format", json_string(FORMAT));
    frs_json_set(root, "name", json_string(plan->name));
    frs_json_set(root, "version", json_string(plan->version));
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
                fsync(fileno(file)) == 0;
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

/* --- reading --- */

/* The first thing missing or of the wrong type is remembered; reading goes on with harmless values. */
struct reader {
    struct frs_sweep_plan *plan;
    const char *wrong;
};

static json_t *get(struct reader *reader, const json_t *object, const char *key, json_type type) {
    json_t *value = json_object_get(object, key);
    if (value && json_typeof(value) == type)
        return value;
    if (!reader->wrong)
        reader->wrong = key;
    return NULL;
}

static const char *get_text(struct reader *reader, const json_t *object, const char *key) {
    const char *text = json_string_value(get(reader, object, key, JSON_STRING));
    return text ? text : "";
}

static size_t get_count(struct reader *reader, const json_t *object, const char *key) {
    json_int_t value = json_integer_value(get(reader, object, key, JSON_INTEGER));
    if (value < 0 && !reader->wrong)
        reader->wrong = key;
    return value < 0 ? 0 : (size_t)value;
}

/* All elements are text; copied, ended by NULL. */
static char **get_texts(struct reader *reader, const json_t *object, const char *key) {
    json_t *array = get(reader, object, key, JSON_ARRAY), *element;
    char **texts = frs_alloc(json_array_size(array) + 1, sizeof *texts);
    size_t i;
    json_array_foreach(array, i, element) {
        if (!json_is_string(element) && !reader->wrong)
            reader->wrong = key;
        texts[i] = frs_strdup(json_is_string(element) ? json_string_value(element) : "");
    }
    return texts;
}

static void get_digest(struct reader *reader, const json_t *object, const char *key, char *digest) {
    snprintf(digest, FRS_DIGEST_TEXT, "%s", get_text(reader, object, key));
}

/* Old plans do not say it. */
static void read_role(struct reader *reader, const json_t *object, struct frs_axis *axis) {
    size_t n = 0;
    while (axis->keys[n])
        n++;
    axis->role = frs_role_of_axis(axis->keys, n, axis->name);
    if (!json_object_get(object, "role"))
        return;
    const char *role = get_text(reader, object, "role");
    if (!frs_role_parse(role, strlen(role), &axis->role) && !reader->wrong)
        reader->wrong = "role";
}

static void read_axes(struct reader *reader, const json_t *root) {
    struct frs_axes *axes = &reader->plan->sweep.axes;
    json_t *array = get(reader, root, "axes", JSON_ARRAY), *element;
    size_t i;
    axes->axes = frs_alloc(json_array_size(array) + 1, sizeof *axes->axes);
    json_array_foreach(array, i, element) {
        struct frs_axis *axis = &axes->axes[axes->n++];
        axis->name = frs_strdup(get_text(reader, element, "name"));
        axis->keys = get_texts(reader, element, "keys");
        read_role(reader, element, axis);
        char **labels = get_texts(reader, element, "levels");
        while (labels[axis->n])
            axis->n++;
        axis->levels = frs_alloc(axis->n + 1, sizeof *axis->levels);
        for (size_t k = 0; k < axis->n; k++)
            axis->levels[k].label = labels[k];
        if (axis->n == 0 && !reader->wrong)
            reader->wrong = "levels";
        free(labels);
    }
}

static char *copy_text(struct reader *reader, const json_t *object, const char *key) {
    return frs_strdup(get_text(reader, object, key));
}

static char *optional_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? frs_strdup(text) : NULL;
}

static void read_target(struct reader *reader, const json_t *root) {
    struct frs_goal *target = &reader->plan->sweep.target;
    json_t *object = json_object_get(root, "target");
    if (!object || json_is_null(object))
        return;
    target->metric = copy_text(reader, object, "metric");
    target->lower = strcmp(get_text(reader, object, "comparison"), "<=") == 0;
    target->reference = optional_text(object, "reference");
    target->bar = json_number_value(get(reader, object, "value", JSON_REAL));
}

static void read_stop(struct reader *reader, const json_t *root) {
    struct frs_stop *stop = &reader->plan->sweep.stop;
    json_t *object = json_object_get(root, "early_stop");
    if (!object || json_is_null(object))
        return;
    stop->metric = copy_text(reader, object, "metric");
    stop->width = json_number_value(get(reader, object, "width", JSON_REAL));
    stop->min_replicates = get_count(reader, object, "min_replicates");
}

static const char *keep(struct frs_arena *arena, const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(frs_arena_take(arena, size, 1), text, size);
}

static struct frs_setting *read_settings(struct reader *reader, const json_t *object, size_t *n) {
    json_t *all = get(reader, object, "settings", JSON_OBJECT), *value;
    struct frs_setting *settings = frs_alloc(json_object_size(all) + 1, sizeof *settings);
    const char *key;
    *n = 0;
    json_object_foreach(all, key, value) {
        if (!json_is_string(value) && !reader->wrong)
            reader->wrong = "settings";
        settings[(*n)++] = (struct frs_setting){keep(&reader->plan->texts, key),
            keep(&reader->plan->texts, json_is_string(value) ? json_string_value(value) : "")};
    }
    return settings;
}

static void read_point(struct reader *reader, const json_t *object, size_t index) {
    struct frs_sweep_point *point = &reader->plan->points[index];
    point->cell = get_count(reader, object, "cell");
    point->replicate = get_count(reader, object, "replicate");
    point->seed = get_count(reader, object, "seed");
    get_digest(reader, object, "hash", point->hash);
    get_digest(reader, object, "learning", point->learning);
    point->settings = read_settings(reader, object, &point->n_settings);
    size_t replicates = reader->plan->sweep.replicates;
    bool in_place = point->cell == index / replicates && point->replicate == index % replicates + 1;
    if ((!in_place || get_count(reader, object, "index") != index) && !reader->wrong)
        reader->wrong = "index";
}

static void read_points(struct reader *reader, const json_t *root) {
    struct frs_sweep_plan *plan = reader->plan;
    json_t *array = get(reader, root, "points", JSON_ARRAY), *element;
    size_t i, n = json_array_size(array), replicates = plan->sweep.replicates;
    if (reader->wrong)
        return;
    if (replicates == 0 || n % replicates != 0 || n / replicates != frs_axes_cells(&plan->sweep.axes)) {
        reader->wrong = "points";
        return;
    }
    plan->n_points = n;
    plan->points = frs_alloc(n, sizeof *plan->points);
    json_array_foreach(array, i, element) {
        read_point(reader, element, i);
    }
}

static void read_plan(struct reader *reader, const json_t *root) {
    struct frs_sweep_plan *plan = reader->plan;
    plan->name = copy_text(reader, root, "name");
    plan->version = copy_text(reader, root, "version");
    read_axes(reader, root);
    plan->sweep.replicates = get_count(reader, root, "replicates");
    plan->sweep.metrics = get_texts(reader, root, "metrics");
    plan->sweep.baseline = optional_text(root, "baseline");
    read_target(reader, root);
    read_stop(reader, root);
    plan->common = read_settings(reader, root, &plan->n_common);
    read_points(reader, root);
}

enum frs_status frs_sweep_plan_read(
    const char *path, struct frs_sweep_plan **out, struct frs_errors *errors) {
    *out = NULL;
    if (access(path, R_OK) != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    char *text;
    json_error_t error;
    if (frs_contents_read(path, &text, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!root)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s:%d: %s", path, error.line, error.text);
    const char *format = json_string_value(json_object_get(root, "format"));
    bool is_plan = format && strcmp(format, FORMAT) == 0;
    struct reader reader = {.plan = frs_alloc(1, sizeof *reader.plan)};
    if (is_plan)
        read_plan(&reader, root);
    else
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: is no plan of a sweep (format \"%s\")", path, FORMAT);
    if (reader.wrong)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"%s\" is missing or wrong", path, reader.wrong);
    json_decref(root);
    if (is_plan && !reader.wrong) {
        *out = reader.plan;
        return FRS_OK;
    }
    frs_sweep_plan_destroy(reader.plan);
    return FRS_ERR_INPUT;
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
