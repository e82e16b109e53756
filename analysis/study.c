#include "analysis/study.h"
#include "analysis/files.h"
#include "analysis/json.h"
#include "sim/base/arena.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

#define FORMAT "fedrecsim-plan-1"

bool frs_study_is(const char *folder) {
    char *path = frs_format("%s/plan.json", folder);
    bool is = frs_contents_exist(path);
    free(path);
    return is;
}

/* ---- plan.json ---- */

/* Copies a list of texts. */
static enum frs_status read_texts(const json_t *object, const char *path, const char *key, char ***texts,
    size_t *n, struct frs_errors *errors) {
    const json_t *list = frs_json_list(object, path, key, errors);
    *n = 0;
    if (!list)
        return FRS_ERR_INPUT;
    *texts = frs_alloc(json_array_size(list), sizeof **texts);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (!text)
            return frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"%s\" has to be a list of texts", path, key);
        (*texts)[(*n)++] = frs_strdup(text);
    }
    return FRS_OK;
}

/* Plans of old versions do not say it. */
static enum frs_status read_role(const struct frs_study *study, struct frs_study_axis *axis,
    const json_t *object, struct frs_errors *errors) {
    const json_t *given = json_object_get(object, "role");
    const char *role = json_string_value(given);
    axis->role = frs_role_of_axis(axis->keys, axis->n_keys, axis->name);
    if (!given || (role && frs_role_parse(role, strlen(role), &axis->role)))
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: the \"role\" of axis \"%s\" has to be \"choice\" or \"circumstance\"", study->path, axis->name);
}

static enum frs_status read_axes(struct frs_study *study, const json_t *root, struct frs_errors *errors) {
    const json_t *list = frs_json_list(root, study->path, "axes", errors);
    if (!list)
        return FRS_ERR_INPUT;
    study->axes = frs_alloc(json_array_size(list), sizeof *study->axes);
    study->n_cells = 1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct frs_study_axis *axis = &study->axes[study->n_axes++];
        const json_t *object = json_array_get(list, i);
        axis->name = frs_json_text(object, study->path, "name", errors);
        if (!axis->name ||
            read_texts(object, study->path, "levels", &axis->levels, &axis->n_levels, errors) != FRS_OK)
            return FRS_ERR_INPUT;
        if (json_object_get(object, "keys") &&
            read_texts(object, study->path, "keys", &axis->keys, &axis->n_keys, errors) != FRS_OK)
            return FRS_ERR_INPUT;
        if (read_role(study, axis, object, errors) != FRS_OK)
            return FRS_ERR_INPUT;
        if (axis->n_levels == 0)
            return frs_errors_add(
                errors, FRS_ERR_INPUT, "%s: axis \"%s\" has no levels", study->path, axis->name);
        if (__builtin_mul_overflow(study->n_cells, axis->n_levels, &study->n_cells))
            return frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"axes\" have too many cells", study->path);
    }
    return FRS_OK;
}

/* Levels are written at every point, too; they have to be those of its cell. */
static bool has_levels_of_its_cell(const struct frs_study *study, size_t cell, const json_t *levels) {
    if (json_array_size(levels) != study->n_axes)
        return false;
    for (size_t axis = 0; axis < study->n_axes; axis++) {
        const char *label = json_string_value(json_array_get(levels, axis));
        const char *expected = study->axes[axis].levels[frs_study_level(study, cell, axis)];
        if (!label || strcmp(label, expected) != 0)
            return false;
    }
    return true;
}

/* A plan without them can be read, but does not tell what differs. */
static void read_settings(struct frs_study_point *point, json_t *settings) {
    const char *key;
    json_t *value;
    point->settings = frs_alloc(json_object_size(settings) + 1, sizeof *point->settings);
    json_object_foreach(settings, key, value) if (json_is_string(value))
        point->settings[point->n_settings++] =
        (struct frs_side_setting){frs_strdup(key), frs_strdup(json_string_value(value))};
}

static enum frs_status read_point(
    struct frs_study *study, const json_t *object, size_t number, struct frs_errors *errors) {
    struct frs_study_point *point = &study->points[study->n_points++];
    uint64_t index, cell, replicate;
    if (frs_json_count(object, study->path, "index", &index, errors) != FRS_OK ||
        frs_json_count(object, study->path, "cell", &cell, errors) != FRS_OK ||
        frs_json_count(object, study->path, "replicate", &replicate, errors) != FRS_OK ||
        frs_json_count(object, study->path, "seed", &point->seed, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    point->hash = frs_json_text(object, study->path, "hash", errors);
    if (!point->hash)
        return FRS_ERR_INPUT;
    if (index != number || cell >= study->n_cells || replicate < 1 ||
        !has_levels_of_its_cell(study, cell, json_object_get(object, "levels")))
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: point %zu does not fit the axes", study->path, number);
    point->cell = cell;
    point->replicate = replicate;
    if (replicate == 1)
        read_settings(point, json_object_get(object, "settings"));
    return FRS_OK;
}

static enum frs_status read_points(struct frs_study *study, const json_t *root, struct frs_errors *errors) {
    const json_t *list = frs_json_list(root, study->path, "points", errors);
    if (!list)
        return FRS_ERR_INPUT;
    /* Memory is taken per cell: a few axes in a small file can name more of them than there is. */
    size_t n = json_array_size(list);
    if (study->replicates == 0 || n % study->replicates != 0 || n / study->replicates != study->n_cells)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: has %zu points; with %zu cells and %zu replicates there have to be their product",
            study->path, n, study->n_cells, study->replicates);
    study->points = frs_alloc(json_array_size(list), sizeof *study->points);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (read_point(study, json_array_get(list, i), i, errors) != FRS_OK)
            return FRS_ERR_INPUT;
    return FRS_OK;
}

/* A text that names levels; or the number of a cell, whose levels it then means all. Old versions wrote 0 where
 * nobody had named one. */
static enum frs_status read_baseline(struct frs_study *study, const json_t *root, struct frs_errors *errors) {
    const json_t *baseline = json_object_get(root, "baseline");
    const char *text = json_string_value(baseline);
    if (text && *text)
        study->baseline = frs_strdup(text);
    if (!json_is_integer(baseline) || json_integer_value(baseline) == 0 || study->n_axes == 0)
        return FRS_OK;
    if (json_integer_value(baseline) < 0 || (size_t)json_integer_value(baseline) >= study->n_cells)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"baseline\" is not a cell", study->path);
    study->baseline = frs_study_cell_name(study, (size_t)json_integer_value(baseline));
    return FRS_OK;
}

static enum frs_status read_goal(struct frs_study *study, const json_t *root, struct frs_errors *errors) {
    const json_t *target = json_object_get(root, "target"), *value = json_object_get(target, "value");
    if (!target || json_is_null(target))
        return FRS_OK;
    char *comparison = frs_json_text(target, study->path, "comparison", errors);
    const char *reference = json_string_value(json_object_get(target, "reference"));
    study->goal.metric = frs_json_text(target, study->path, "metric", errors);
    study->goal.reference = reference ? frs_strdup(reference) : NULL;
    study->goal.bar = json_number_value(value);
    study->goal.lower = comparison && strcmp(comparison, "<=") == 0;
    free(comparison);
    if (comparison && study->goal.metric && json_is_number(value))
        return FRS_OK;
    return frs_errors_add(
        errors, FRS_ERR_INPUT, "%s: \"target\" has no number as its \"value\"", study->path);
}

static enum frs_status take(struct frs_study *study, const json_t *root, struct frs_errors *errors) {
    const char *format = json_string_value(json_object_get(root, "format"));
    uint64_t replicates = 0;
    if (!format || strcmp(format, FORMAT) != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: is not a plan of the format " FORMAT, study->path);
    study->name = frs_json_text(root, study->path, "name", errors);
    study->stops_early = json_is_object(json_object_get(root, "early_stop"));
    if (!study->name || frs_json_count(root, study->path, "replicates", &replicates, errors) != FRS_OK ||
        read_texts(root, study->path, "metrics", &study->metrics, &study->n_metrics, errors) != FRS_OK ||
        read_axes(study, root, errors) != FRS_OK || read_baseline(study, root, errors) != FRS_OK ||
        read_goal(study, root, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    study->replicates = replicates;
    return read_points(study, root, errors);
}

enum frs_status frs_study_read(const char *folder, struct frs_study *study, struct frs_errors *errors) {
    *study = (struct frs_study){.path = frs_format("%s/plan.json", folder)};
    json_t *root = frs_json_read(study->path, errors);
    enum frs_status status = root ? take(study, root, errors) : FRS_ERR_INPUT;
    json_decref(root);
    if (status != FRS_OK)
        frs_study_fini(study);
    return status;
}

void frs_study_fini(struct frs_study *study) {
    for (size_t i = 0; i < study->n_axes; i++) {
        for (size_t k = 0; k < study->axes[i].n_levels; k++)
            free(study->axes[i].levels[k]);
        free(study->axes[i].levels);
        for (size_t k = 0; k < study->axes[i].n_keys; k++)
            free(study->axes[i].keys[k]);
        free(study->axes[i].keys);
        free(study->axes[i].name);
    }
    for (size_t i = 0; i < study->n_points; i++) {
        struct frs_study_point *point = &study->points[i];
        for (size_t k = 0; k < point->n_settings; k++) {
            free((void *)(uintptr_t)point->settings[k].key);
            free((void *)(uintptr_t)point->settings[k].value);
        }
        free(point->settings);
        free(point->hash);
    }
    for (size_t i = 0; i < study->n_metrics; i++)
        free(study->metrics[i]);
    free(study->axes);
    free(study->points);
    free(study->metrics);
    free(study->path);
    free(study->name);
    free(study->baseline);
    frs_goal_fini(&study->goal);
    *study = (struct frs_study){0};
}

/* ---- cells ---- */

/* How many cells further the next level of an axis is. */
static size_t stride(const struct frs_study *study, size_t axis) {
    size_t product = 1;
    while (++axis < study->n_axes)
        product *= study->axes[axis].n_levels;
    return product;
}

size_t frs_study_level(const struct frs_study *study, size_t cell, size_t axis) {
    return cell / stride(study, axis) % study->axes[axis].n_levels;
}

size_t frs_study_cell_at(const struct frs_study *study, size_t cell, size_t axis, size_t level) {
    return cell + (level - frs_study_level(study, cell, axis)) * stride(study, axis);
}

char *frs_study_cell_name(const struct frs_study *study, size_t cell) {
    char *name = frs_strdup(study->n_axes ? "" : "all");
    for (size_t axis = 0; axis < study->n_axes; axis++) {
        char *longer = frs_format("%s%s%s=%s", name, axis ? ", " : "", study->axes[axis].name,
            study->axes[axis].levels[frs_study_level(study, cell, axis)]);
        free(name);
        name = longer;
    }
    return name;
}

bool frs_study_first_choices(const struct frs_study *study, size_t *levels, char **text) {
    *text = frs_strdup("");
    for (size_t axis = 0; axis < study->n_axes; axis++) {
        levels[axis] = study->axes[axis].role == FRS_ROLE_CHOICE ? 0 : FRS_ANY_LEVEL;
        if (levels[axis] == FRS_ANY_LEVEL)
            continue;
        char *longer = frs_format(
            "%s%s%s=%s", *text, **text ? ", " : "", study->axes[axis].name, study->axes[axis].levels[0]);
        free(*text);
        *text = longer;
    }
    return **text != '\0';
}

char *frs_study_axes_with(const struct frs_study *study, enum frs_role role) {
    char *text = frs_strdup("");
    for (size_t axis = 0; axis < study->n_axes; axis++) {
        if (study->axes[axis].role != role)
            continue;
        char *longer = frs_format("%s%s%s", text, *text ? ", " : "", study->axes[axis].name);
        free(text);
        text = longer;
    }
    return text;
}

size_t frs_study_baseline_of(const struct frs_study *study, const size_t *fixed, size_t cell) {
    for (size_t axis = 0; axis < study->n_axes; axis++)
        if (fixed[axis] != FRS_ANY_LEVEL)
            cell = frs_study_cell_at(study, cell, axis, fixed[axis]);
    return cell;
}

/* ---- what differs beside what was varied ---- */

bool frs_study_print_unvaried(const struct frs_study *study, FILE *out) {
    struct frs_arena arena = {0};
    struct frs_side *sides = frs_alloc(study->n_cells, sizeof *sides);
    size_t n_varied = 0, n = 0;
    for (size_t axis = 0; axis < study->n_axes; axis++)
        n_varied += study->axes[axis].n_keys;
    const char **varied = frs_alloc(n_varied + 1, sizeof *varied);
    for (size_t axis = 0, at = 0; axis < study->n_axes; axis++)
        for (size_t k = 0; k < study->axes[axis].n_keys; k++)
            varied[at++] = study->axes[axis].keys[k];
    for (size_t i = 0; i < study->n_points; i++) {
        const struct frs_study_point *point = &study->points[i];
        if (point->replicate != 1)
            continue;
        const char **labels = frs_arena_take(&arena, study->n_axes + 1, sizeof *labels);
        for (size_t axis = 0; axis < study->n_axes; axis++)
            labels[axis] = study->axes[axis].levels[frs_study_level(study, point->cell, axis)];
        sides[n++] = (struct frs_side){
            .labels = labels, .n_labels = study->n_axes, .settings = point->settings, .n = point->n_settings};
    }
    bool any = frs_unvaried_print(sides, n, varied, n_varied, out);
    free(varied);
    free(sides);
    frs_arena_fini(&arena);
    return any;
}

/* ---- selections ---- */

/* How far to go to be behind `name` and the spaces after it, if one of the characters of `after` comes then
 * or, with `may_end`, nothing; otherwise 0. */
static size_t match(const char *text, const char *name, const char *after, bool may_end) {
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0)
        return 0;
    length += strspn(text + length, " ");
    char next = text[length];
    return (next && strchr(after, next)) || (!next && may_end) ? length : 0;
}

/* The longest name that fits, so that "a,b=1" beats "a". */
static size_t find_axis(const struct frs_study *study, const char *text, size_t *length) {
    size_t found = SIZE_MAX;
    *length = 0;
    for (size_t i = 0; i < study->n_axes; i++) {
        size_t n = match(text, study->axes[i].name, "=", false);
        if (n > *length) {
            *length = n;
            found = i;
        }
    }
    return found;
}

static size_t find_level(const struct frs_study_axis *axis, const char *text, size_t *length) {
    size_t found = SIZE_MAX;
    *length = 0;
    for (size_t i = 0; i < axis->n_levels; i++) {
        size_t n = match(text, axis->levels[i], ",", true);
        if (n > *length) {
            *length = n;
            found = i;
        }
    }
    return found;
}

static char *list_names(const struct frs_study *study, const struct frs_study_axis *axis) {
    size_t n = axis ? axis->n_levels : study->n_axes;
    char *list = frs_strdup(n ? "" : "none");
    for (size_t i = 0; i < n; i++) {
        char *longer =
            frs_format("%s%s%s", list, i ? " | " : "", axis ? axis->levels[i] : study->axes[i].name);
        free(list);
        list = longer;
    }
    return list;
}

static enum frs_status refuse(const struct frs_study *study, const struct frs_study_axis *axis,
    const char *where, const char *text, struct frs_errors *errors) {
    char line[64], *list = list_names(study, axis);
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: \"%s\" does not start with %s%s%s; allowed: %s", where, frs_text_line(text, line, sizeof line),
        axis ? "a level of \"" : "\"AXIS=\", an axis of the sweep", axis ? axis->name : "", axis ? "\"" : "",
        list);
    free(list);
    return status;
}

enum frs_status frs_study_select(const struct frs_study *study, const char *text, const char *where,
    size_t *levels, struct frs_errors *errors) {
    for (size_t i = 0; i < study->n_axes; i++)
        levels[i] = FRS_ANY_LEVEL;
    while (true) {
        size_t length, axis;
        text += strspn(text, " ");
        axis = find_axis(study, text, &length);
        if (axis == SIZE_MAX)
            return refuse(study, NULL, where, text, errors);
        text += length + 1;
        text += strspn(text, " ");
        levels[axis] = find_level(&study->axes[axis], text, &length);
        if (levels[axis] == SIZE_MAX)
            return refuse(study, &study->axes[axis], where, text, errors);
        text += length;
        if (!*text)
            return FRS_OK;
        text++;
    }
}
