/* Reads plan.json. Members of the first version are required; members that were added later may be missing
 * (`lacks`). */
#include "analysis/plan/plan.h"
#include "analysis/read/files.h"
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/texts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool frs_sweep_plan_is(const char *folder) {
    char *path = frs_format("%s/plan.json", folder);
    bool is = frs_contents_exist(path);
    free(path);
    return is;
}

/* ---- reading ---- */

/* Remembers the first thing that only who runs points needs. */
static void require(struct frs_sweep_plan *plan, bool there, const char *key) {
    if (!there && !plan->lacks)
        plan->lacks = key;
}

/* Copies a list of texts, ended by NULL; NULL after adding an error. */
static char **read_texts(const json_t *object, const char *path, const char *key, struct frs_errors *errors) {
    const json_t *list = frs_json_list(object, path, key, errors);
    if (!list)
        return NULL;
    char **texts = frs_alloc(json_array_size(list) + 1, sizeof *texts);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (text) {
            texts[i] = frs_strdup(text);
            continue;
        }
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"%s\" has to be a list of texts", path, key);
        frs_texts_free(texts);
        return NULL;
    }
    return texts;
}

/* Plans of old versions do not say it. */
static enum frs_status read_role(const struct frs_sweep_plan *plan, struct frs_axis *axis,
    const json_t *object, struct frs_errors *errors) {
    const json_t *given = json_object_get(object, "role");
    const char *role = json_string_value(given);
    axis->role = frs_role_of_axis(axis->keys, frs_axis_keys(axis), axis->name);
    if (!given || (role && frs_role_parse(role, strlen(role), &axis->role)))
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: the \"role\" of axis \"%s\" has to be \"design\" or \"environment\"", plan->path, axis->name);
}

static enum frs_status read_levels(const struct frs_sweep_plan *plan, struct frs_axis *axis,
    const json_t *object, struct frs_errors *errors) {
    char **labels = read_texts(object, plan->path, "levels", errors);
    if (!labels)
        return FRS_ERR_INPUT;
    while (labels[axis->n])
        axis->n++;
    axis->levels = frs_alloc(axis->n + 1, sizeof *axis->levels);
    for (size_t i = 0; i < axis->n; i++)
        axis->levels[i].label = labels[i];
    free(labels);
    return FRS_OK;
}

static enum frs_status read_axis(
    struct frs_sweep_plan *plan, struct frs_axis *axis, const json_t *object, struct frs_errors *errors) {
    bool has_keys = json_object_get(object, "keys");
    require(plan, has_keys, "keys");
    axis->name = frs_json_text(object, plan->path, "name", errors);
    if (!axis->name || read_levels(plan, axis, object, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    axis->keys = has_keys ? read_texts(object, plan->path, "keys", errors) : frs_alloc(1, sizeof *axis->keys);
    if (!axis->keys || read_role(plan, axis, object, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    if (axis->n == 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: axis \"%s\" has no levels", plan->path, axis->name);
    return FRS_OK;
}

static enum frs_status read_axes(struct frs_sweep_plan *plan, const json_t *root, struct frs_errors *errors) {
    struct frs_axes *axes = &plan->sweep.axes;
    const json_t *list = frs_json_list(root, plan->path, "axes", errors);
    if (!list)
        return FRS_ERR_INPUT;
    axes->axes = frs_alloc(json_array_size(list) + 1, sizeof *axes->axes);
    while (axes->n < json_array_size(list)) {
        const json_t *object = json_array_get(list, axes->n);
        if (read_axis(plan, &axes->axes[axes->n++], object, errors) != FRS_OK)
            return FRS_ERR_INPUT;
    }
    if (frs_axes_cells(axes) == SIZE_MAX)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"axes\" have too many cells", plan->path);
    return FRS_OK;
}

/* Levels are written at every point, too; they have to be those of its cell. */
static bool has_levels_of_its_cell(const struct frs_axes *axes, size_t cell, const json_t *levels) {
    if (json_array_size(levels) != axes->n)
        return false;
    for (size_t axis = 0; axis < axes->n; axis++) {
        const char *label = json_string_value(json_array_get(levels, axis));
        if (!label || strcmp(label, frs_axes_label(axes, cell, axis)) != 0)
            return false;
    }
    return true;
}

static const char *keep(struct frs_arena *arena, const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(frs_arena_take(arena, size, 1), text, size);
}

static struct frs_setting *read_settings(struct frs_sweep_plan *plan, const json_t *object, size_t *n) {
    json_t *all = json_object_get(object, "settings"), *value;
    struct frs_setting *settings = frs_alloc(json_object_size(all) + 1, sizeof *settings);
    const char *key;
    require(plan, json_is_object(all), "settings");
    json_object_foreach(all, key, value) {
        require(plan, json_is_string(value), "settings");
        if (json_is_string(value))
            settings[(*n)++] =
                (struct frs_setting){keep(&plan->texts, key), keep(&plan->texts, json_string_value(value))};
    }
    return settings;
}

static void read_digest(const json_t *object, const char *key, char *digest) {
    const char *text = json_string_value(json_object_get(object, key));
    snprintf(digest, FRS_DIGEST_TEXT, "%s", text ? text : "");
}

/* Notes in `taken` which replicate of which cell it is; each has one point, in whatever order. */
static enum frs_status read_point(struct frs_sweep_plan *plan, const json_t *object, size_t number,
    bool *taken, struct frs_errors *errors) {
    struct frs_sweep_point *point = &plan->points[number];
    const struct frs_axes *axes = &plan->sweep.axes;
    uint64_t index, cell, replicate;
    if (frs_json_count(object, plan->path, "index", &index, errors) != FRS_OK ||
        frs_json_count(object, plan->path, "cell", &cell, errors) != FRS_OK ||
        frs_json_count(object, plan->path, "replicate", &replicate, errors) != FRS_OK ||
        frs_json_count(object, plan->path, "seed", &point->seed, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    if (!json_is_string(json_object_get(object, "hash")))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"hash\" has to be a text", plan->path);
    if (index != number || cell >= frs_axes_cells(axes) || replicate < 1 ||
        !has_levels_of_its_cell(axes, cell, json_object_get(object, "levels")))
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: point %zu does not fit the axes", plan->path, number);
    size_t replicates = plan->sweep.replicates;
    point->cell = cell;
    point->replicate = replicate;
    bool is_new = replicate <= replicates && !taken[cell * replicates + replicate - 1];
    require(plan, is_new, "index");
    if (is_new)
        taken[cell * replicates + replicate - 1] = true;
    require(plan, json_is_string(json_object_get(object, "learning")), "learning");
    read_digest(object, "hash", point->hash);
    read_digest(object, "learning", point->learning);
    point->settings = read_settings(plan, object, &point->n_settings);
    return FRS_OK;
}

static enum frs_status read_points(
    struct frs_sweep_plan *plan, const json_t *root, struct frs_errors *errors) {
    const json_t *list = frs_json_list(root, plan->path, "points", errors);
    if (!list)
        return FRS_ERR_INPUT;
    /* Memory is taken per cell: a few axes in a small file can name more of them than there is. */
    size_t n = json_array_size(list), replicates = plan->sweep.replicates,
           n_cells = frs_axes_cells(&plan->sweep.axes);
    if (replicates == 0 || n % replicates != 0 || n / replicates != n_cells)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: has %zu points; with %zu cells and %zu replicates there have to be their product",
            plan->path, n, n_cells, replicates);
    plan->points = frs_alloc(n, sizeof *plan->points);
    bool *taken = frs_alloc(n + 1, sizeof *taken); /* cells and replicates that have their point */
    enum frs_status status = FRS_OK;
    for (; status == FRS_OK && plan->n_points < n; plan->n_points++)
        status = read_point(plan, json_array_get(list, plan->n_points), plan->n_points, taken, errors);
    free(taken);
    return status;
}

/* A text that names levels; or the number of a cell, which stands for all of its levels. Old versions
 * wrote 0 where no baseline was named. */
static enum frs_status read_baseline(
    struct frs_sweep_plan *plan, const json_t *root, struct frs_errors *errors) {
    const json_t *baseline = json_object_get(root, "baseline");
    const char *text = json_string_value(baseline);
    json_int_t cell = json_integer_value(baseline);
    if (text && *text)
        plan->sweep.baseline = frs_strdup(text);
    if (cell == 0 || plan->sweep.axes.n == 0)
        return FRS_OK;
    if (cell < 0 || (size_t)cell >= frs_axes_cells(&plan->sweep.axes))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"baseline\" is not a cell", plan->path);
    plan->sweep.baseline = frs_sweep_plan_cell_name(plan, (size_t)cell);
    return FRS_OK;
}

static enum frs_status read_target(
    struct frs_sweep_plan *plan, const json_t *root, struct frs_errors *errors) {
    struct frs_target_spec *target_spec = &plan->sweep.target;
    const json_t *target = json_object_get(root, "target"), *value = json_object_get(target, "value");
    if (!target || json_is_null(target))
        return FRS_OK;
    char *comparison = frs_json_text(target, plan->path, "comparison", errors);
    const char *baseline = json_string_value(json_object_get(target, "non_federated"));
    target_spec->metric = frs_json_text(target, plan->path, "metric", errors);
    target_spec->non_federated = baseline ? frs_strdup(baseline) : NULL;
    target_spec->bar = json_number_value(value);
    target_spec->lower = comparison && strcmp(comparison, "<=") == 0;
    free(comparison);
    if (comparison && target_spec->metric && json_is_number(value))
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"target\" has no number as its \"value\"", plan->path);
}

static void read_stop(struct frs_sweep_plan *plan, const json_t *root) {
    struct frs_stop *stop = &plan->sweep.stop;
    const json_t *object = json_object_get(root, "early_stop");
    if (!json_is_object(object)) {
        require(plan, !object || json_is_null(object), "early_stop");
        return;
    }
    const char *metric = json_string_value(json_object_get(object, "metric"));
    const json_t *width = json_object_get(object, "width"),
                 *least = json_object_get(object, "min_replicates");
    require(plan, metric, "metric");
    require(plan, json_is_real(width), "width");
    require(plan, json_is_integer(least) && json_integer_value(least) >= 0, "min_replicates");
    *stop = (struct frs_stop){.metric = frs_strdup(metric ? metric : ""),
        .width = json_number_value(width),
        .min_replicates = (size_t)json_integer_value(least)};
}

static void read_plugins(struct frs_sweep_plan *plan, const json_t *root) {
    const json_t *list = json_object_get(root, "plugins");
    plan->plugins = frs_alloc(json_array_size(list) + 1, sizeof *plan->plugins);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *object = json_array_get(list, i);
        const char *path = json_string_value(json_object_get(object, "path"));
        require(plan, path && json_is_string(json_object_get(object, "digest")), "plugins");
        struct frs_plan_plugin *plugin = &plan->plugins[plan->n_plugins++];
        plugin->path = frs_strdup(path ? path : "");
        read_digest(object, "digest", plugin->digest);
    }
}

static enum frs_status take(struct frs_sweep_plan *plan, const json_t *root, struct frs_errors *errors) {
    const char *format = json_string_value(json_object_get(root, "format"));
    const char *version = json_string_value(json_object_get(root, "version"));
    uint64_t replicates = 0;
    if (!format || strcmp(format, FRS_PLAN_FORMAT) != 0)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: is not a plan of the format " FRS_PLAN_FORMAT, plan->path);
    require(plan, version, "version");
    plan->version = frs_strdup(version ? version : "");
    plan->name = frs_json_text(root, plan->path, "name", errors);
    if (!plan->name || frs_json_count(root, plan->path, "replicates", &replicates, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    plan->sweep.replicates = replicates;
    plan->sweep.metrics = read_texts(root, plan->path, "metrics", errors);
    if (!plan->sweep.metrics || read_axes(plan, root, errors) != FRS_OK ||
        read_baseline(plan, root, errors) != FRS_OK || read_target(plan, root, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    const char *working = json_string_value(json_object_get(root, "working_folder"));
    plan->working_folder = working ? frs_strdup(working) : NULL;
    read_stop(plan, root);
    read_plugins(plan, root);
    plan->common = read_settings(plan, root, &plan->n_common);
    return read_points(plan, root, errors);
}

enum frs_status frs_sweep_plan_load(
    const char *path, struct frs_sweep_plan **out, struct frs_errors *errors) {
    *out = NULL;
    if (access(path, R_OK) != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    struct frs_sweep_plan *plan = frs_alloc(1, sizeof *plan);
    plan->path = frs_strdup(path);
    json_t *root = frs_json_read(path, errors);
    enum frs_status status = root ? take(plan, root, errors) : FRS_ERR_INPUT;
    json_decref(root);
    *out = status == FRS_OK ? plan : NULL;
    if (status != FRS_OK)
        frs_sweep_plan_destroy(plan);
    return status;
}

enum frs_status frs_sweep_plan_in(
    const char *folder, struct frs_sweep_plan **out, struct frs_errors *errors) {
    char *path = frs_format("%s/plan.json", folder);
    enum frs_status status = frs_sweep_plan_load(path, out, errors);
    free(path);
    return status;
}

/* ---- memory ---- */

void frs_axis_fini(struct frs_axis *axis) {
    for (size_t i = 0; i < axis->n; i++) {
        for (size_t k = 0; k < axis->levels[i].n; k++)
            free(axis->levels[i].sets[k]);
        free(axis->levels[i].sets);
        free(axis->levels[i].label);
    }
    free(axis->levels);
    frs_texts_free(axis->keys);
    free(axis->name);
}

void frs_axes_fini(struct frs_axes *axes) {
    for (size_t i = 0; i < axes->n; i++)
        frs_axis_fini(&axes->axes[i]);
    free(axes->axes);
    *axes = (struct frs_axes){0};
}

void frs_sweep_fini(struct frs_sweep *sweep) {
    frs_axes_fini(&sweep->axes);
    frs_texts_free(sweep->metrics);
    free(sweep->baseline);
    frs_target_spec_fini(&sweep->target);
    free(sweep->stop.metric);
    *sweep = (struct frs_sweep){0};
}

void frs_sweep_plan_destroy(struct frs_sweep_plan *plan) {
    if (!plan)
        return;
    for (size_t i = 0; i < plan->n_points; i++)
        free(plan->points[i].settings);
    free(plan->points);
    free(plan->common);
    frs_sweep_fini(&plan->sweep);
    frs_arena_fini(&plan->texts);
    free(plan->name);
    free(plan->version);
    free(plan->working_folder);
    for (size_t i = 0; i < plan->n_plugins; i++)
        free(plan->plugins[i].path);
    free(plan->plugins);
    free(plan->path);
    free(plan);
}
