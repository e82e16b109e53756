/* What the page of a comparison takes from sensitivity.json of its sweeps. */
#include "analysis/read/files.h"
#include "analysis/report/comparison_runs.h"
#include "analysis/report/report_internal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>

static const char format[] = "fedrecsim-sensitivity-2";

/* ---- what the page takes for granted ---- */

static bool is_figure(const json_t *figure) {
    return json_is_object(figure) && json_is_integer(json_object_get(figure, "n")) &&
           json_is_integer(json_object_get(figure, "censored"));
}

static bool is_level(const json_t *level) {
    return json_is_string(json_object_get(level, "label")) && is_figure(json_object_get(level, "figure"));
}

static bool is_assumption(const json_t *assumption) {
    const json_t *effect = json_object_get(assumption, "effect"),
                 *levels = json_object_get(assumption, "levels");
    return json_is_string(json_object_get(assumption, "name")) &&
           (json_is_null(effect) || json_is_object(effect)) && json_array_size(levels) >= 1 &&
           json_array_size(levels) <= 2;
}

static bool is_variant(const json_t *variant) {
    return json_is_string(json_object_get(variant, "name")) && is_figure(json_object_get(variant, "base")) &&
           json_is_object(json_object_get(variant, "seeds"));
}

static bool is_design_factor(const json_t *factor) {
    return json_is_string(json_object_get(factor, "environment"));
}

static bool is_design_level(const json_t *level) {
    return json_is_string(json_object_get(level, "label"));
}

static bool is_left_out(const json_t *one) {
    return json_is_string(json_object_get(one, "name")) && json_is_string(json_object_get(one, "reason"));
}

static bool all_are(const json_t *list, bool (*is)(const json_t *)) {
    size_t i = 0;
    while (i < json_array_size(list) && is(json_array_get(list, i)))
        i++;
    return json_is_array(list) && i == json_array_size(list);
}

static bool is_sound(const json_t *root) {
    const json_t *variants = json_object_get(root, "variants"),
                 *design_factors = json_object_get(root, "design_factors");
    const char *found = json_string_value(json_object_get(root, "format"));
    bool good = found && strcmp(found, format) == 0 && json_is_string(json_object_get(root, "answer")) &&
                json_array_size(variants) > 0 && all_are(variants, is_variant) &&
                all_are(design_factors, is_design_factor) &&
                all_are(json_object_get(root, "left_out"), is_left_out);
    for (size_t i = 0; good && i < json_array_size(variants); i++) {
        const json_t *list = json_object_get(json_array_get(variants, i), "assumptions");
        good = all_are(list, is_assumption);
        for (size_t k = 0; good && k < json_array_size(list); k++)
            good = all_are(json_object_get(json_array_get(list, k), "levels"), is_level);
    }
    for (size_t i = 0; good && i < json_array_size(design_factors); i++)
        good = all_are(json_object_get(json_array_get(design_factors, i), "levels"), is_design_level);
    return good;
}

/* ---- texts of others ---- */

json_t *frs_report_cleaned(const json_t *value) {
    if (json_is_string(value))
        return frs_report_text(json_string_value(value));
    if (json_is_array(value)) {
        json_t *list = json_array();
        for (size_t i = 0; i < json_array_size(value); i++)
            frs_json_append(list, frs_report_cleaned(json_array_get(value, i)));
        return list;
    }
    if (!json_is_object(value))
        return json_incref((json_t *)value);
    json_t *object = json_object(), *member;
    const char *key;
    json_object_foreach((json_t *)value, key, member) frs_json_set(object, key, frs_report_cleaned(member));
    return object;
}

/* ---- of each sweep ---- */

static enum frs_status add_file(const char *path, json_t *list, struct frs_errors *errors) {
    json_t *root = frs_json_read(path, errors);
    enum frs_status status = root ? FRS_OK : FRS_ERR_INPUT;
    if (root && !is_sound(root))
        status =
            frs_errors_add(errors, FRS_ERR_INPUT, "%s: is no sensitivity of the format %s", path, format);
    if (status == FRS_OK)
        frs_json_append(list, frs_report_cleaned(root));
    json_decref(root);
    return status;
}

char *frs_report_folder_of(const struct frs_entry *entry) {
    char *path = frs_strdup(entry->runs[0].path), *folder = frs_strdup(dirname(dirname(path)));
    free(path);
    return folder;
}

enum frs_status frs_report_sensitivities(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) {
    json_t *list = json_array(), *seen = json_object();
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < entries->n && status == FRS_OK; i++) {
        if (!entries->list[i].labels)
            continue;
        char *folder = frs_report_folder_of(&entries->list[i]),
             *path = frs_format("%s/sensitivity.json", folder);
        if (!json_object_get(seen, folder) && frs_contents_exist(path))
            status = add_file(path, list, errors);
        json_object_set_new_nocheck(seen, folder, json_true());
        free(path);
        free(folder);
    }
    json_decref(seen);
    frs_json_set(page, "sensitivity", list);
    return status;
}
