/* What the page of a comparison takes from what_if.json of its runs. */
#include "analysis/read/files.h"
#include "analysis/report/comparison_runs.h"
#include "analysis/report/report_internal.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* [n] of the runs of an entry: what_if.json, or NULL where a run has none. */
static enum frs_status read_files(
    const struct frs_entry *entry, json_t **files, bool *any, struct frs_errors *errors) {
    for (size_t k = 0; k < entry->n; k++) {
        char *path = frs_format("%s/what_if.json", entry->runs[k].path);
        bool exists = frs_contents_exist(path);
        files[k] = exists ? frs_json_read(path, errors) : NULL;
        free(path);
        if (exists && !files[k])
            return FRS_ERR_INPUT;
        *any = *any || exists;
    }
    return FRS_OK;
}

static double change_of(const json_t *file, const char *name) {
    const json_t *list = json_object_get(file, "what_if");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *found = json_string_value(json_object_get(one, "name"));
        if (found && strcmp(found, name) == 0)
            return json_number_value(json_object_get(one, "change_percent"));
    }
    return NAN;
}

/* Adds the names of a file that are not in the columns yet. */
static void add_names(json_t *columns, const json_t *file) {
    const json_t *list = json_object_get(file, "what_if");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(list, i), "name"));
        if (name && !json_object_get(columns, name))
            json_object_set_new_nocheck(columns, name, json_array());
    }
}

enum frs_status frs_report_what_ifs(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) {
    json_t ***files = frs_alloc(entries->n + 1, sizeof *files), *columns = json_object(), *column;
    const char *name;
    enum frs_status status = FRS_OK;
    bool any = false;
    for (size_t i = 0; i < entries->n; i++) {
        const struct frs_entry *entry = &entries->list[i];
        files[i] = frs_alloc(entry->n + 1, sizeof **files);
        if (status == FRS_OK)
            status = read_files(entry, files[i], &any, errors);
        for (size_t k = 0; k < entry->n; k++)
            add_names(columns, files[i][k]);
    }
    json_object_foreach(columns, name, column) for (size_t i = 0; i < entries->n; i++) {
        json_t *list = json_array();
        for (size_t k = 0; k < entries->list[i].n; k++)
            frs_json_append(list, frs_report_number(change_of(files[i][k], name)));
        frs_json_append(column, frs_report_of_runs(list));
    }
    for (size_t i = 0; i < entries->n; i++) {
        for (size_t k = 0; k < entries->list[i].n; k++)
            json_decref(files[i][k]);
        free(files[i]);
    }
    free(files);
    frs_json_set(page, "what_ifs", any ? json_incref(columns) : json_null());
    json_decref(columns);
    return status;
}
