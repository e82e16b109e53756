#include "analysis/read/json.h"
#include "analysis/read/files.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>

json_t *frs_json_read(const char *path, struct frs_errors *errors) {
    char *text;
    json_error_t error;
    if (frs_contents_read(path, &text, errors) != FRS_OK)
        return NULL;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!root)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s:%d: %s", path, error.line, error.text);
    else if (!json_is_object(root))
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: is not a JSON object", path);
    if (json_is_object(root))
        return root;
    json_decref(root);
    return NULL;
}

char *frs_json_text(const json_t *object, const char *path, const char *key, struct frs_errors *errors) {
    const char *text = json_string_value(json_object_get(object, key));
    if (!text)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"%s\" has to be a text", path, key);
    return text ? frs_strdup(text) : NULL;
}

enum frs_status frs_json_count(
    const json_t *object, const char *path, const char *key, uint64_t *value, struct frs_errors *errors) {
    const json_t *number = json_object_get(object, key);
    *value = 0;
    if (!json_is_integer(number) || json_integer_value(number) < 0)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: \"%s\" has to be a whole number of at least 0", path, key);
    *value = (uint64_t)json_integer_value(number);
    return FRS_OK;
}

const json_t *frs_json_list(
    const json_t *object, const char *path, const char *key, struct frs_errors *errors) {
    const json_t *list = json_object_get(object, key);
    if (json_is_array(list))
        return list;
    frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"%s\" has to be a list", path, key);
    return NULL;
}

void frs_json_set(json_t *object, const char *key, json_t *value) {
    FRS_INVARIANT(json_object_set_new(object, key, value) == 0, "%s cannot be written as JSON", key);
}

void frs_json_append(json_t *array, json_t *value) {
    FRS_INVARIANT(json_array_append_new(array, value) == 0, "an element cannot be written as JSON");
}
