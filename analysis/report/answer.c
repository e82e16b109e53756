/* What the page of a search takes from its answer.json. */
#include "analysis/read/files.h"
#include "analysis/report/comparison_runs.h"
#include "analysis/report/report_internal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char format[] = "fedrecsim-answer-1";

/* ---- what the page takes for granted ---- */

static bool is_text_or_null(const json_t *value) {
    return json_is_string(value) || json_is_null(value);
}

static bool is_figure(const json_t *figure) {
    return json_is_string(json_object_get(figure, "setting")) &&
           json_is_integer(json_object_get(figure, "n")) &&
           json_is_integer(json_object_get(figure, "missed")) &&
           json_is_boolean(json_object_get(figure, "keeps"));
}

static bool all_are_figures(const json_t *list) {
    size_t i = 0;
    while (i < json_array_size(list) && is_figure(json_array_get(list, i)))
        i++;
    return json_is_array(list) && i == json_array_size(list);
}

static bool is_sound(const json_t *root) {
    const json_t *figures = json_object_get(root, "figures"), *lines = json_object_get(root, "lines");
    const char *metric = json_string_value(json_object_get(root, "metric")),
               *best = json_string_value(json_object_get(root, "best"));
    bool good =
        json_is_string(json_object_get(root, "axis")) && is_text_or_null(json_object_get(root, "until")) &&
        is_text_or_null(json_object_get(root, "answer")) && json_array_size(lines) > 0 && (metric || best);
    for (size_t i = 0; good && i < json_array_size(lines); i++)
        good = json_is_string(json_array_get(lines, i));
    return good &&
           (!metric || (all_are_figures(json_object_get(figures, metric)) &&
                           json_is_number(json_object_get(root, "bound")))) &&
           (!best || all_are_figures(json_object_get(figures, best)));
}

static bool is_of_this_format(const json_t *root) {
    const char *found = json_string_value(json_object_get(root, "format"));
    return found && strcmp(found, format) == 0;
}

/* One that an earlier version wrote has no format and no figures; its folder gets the page of a sweep. */
static enum frs_status take(const char *path, json_t *page, struct frs_errors *errors) {
    json_t *root = frs_json_read(path, errors);
    enum frs_status status = root ? FRS_OK : FRS_ERR_INPUT;
    if (root && is_of_this_format(root) && !is_sound(root))
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: is no answer of the format %s", path, format);
    else if (root && is_of_this_format(root))
        frs_json_set(page, "answer", frs_report_cleaned(root));
    json_decref(root);
    return status;
}

enum frs_status frs_report_answer(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) {
    frs_json_set(page, "answer", json_null());
    if (!entries->one_sweep || entries->n_axes != 1)
        return FRS_OK;
    char *folder = frs_report_folder_of(&entries->list[0]), *path = frs_format("%s/answer.json", folder);
    enum frs_status status = frs_contents_exist(path) ? take(path, page, errors) : FRS_OK;
    free(path);
    free(folder);
    return status;
}
