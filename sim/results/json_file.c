#include "sim/results/json_file.h"
#include "sim/base/errors.h"

#include <math.h>

/* Enough digits for every figure we print elsewhere, few enough that 0.1 stays 0.1. */
#define JSON_FLAGS (JSON_INDENT(2) | JSON_REAL_PRECISION(15))

void frs_json_set_text(json_t *object, const char *key, const char *text) {
    frs_json_set(object, key, json_string(text));
}

void frs_json_set_count(json_t *object, const char *key, uint64_t value) {
    frs_json_set(object, key, json_integer((json_int_t)value));
}

void frs_json_set_real(json_t *object, const char *key, double value) {
    if (isfinite(value))
        frs_json_set(object, key, json_real(value));
}

json_t *frs_json_add_object(json_t *object, const char *key) {
    json_t *child = json_object();
    frs_json_set(object, key, child);
    return child;
}

enum frs_status frs_json_write(
    const struct frs_run_directory *directory, const char *name, json_t *root, struct frs_errors *errors) {
    FILE *file = frs_run_directory_file(directory, name, errors);
    enum frs_status status = FRS_ERR_RUN;
    if (file) {
        int failed = json_dumpf(root, file, JSON_FLAGS);
        fputc('\n', file);
        status = frs_run_directory_close_file(file, name, errors);
        if (failed && status == FRS_OK)
            status = frs_errors_add(errors, FRS_ERR_RUN, "%s could not be written", name);
    }
    json_decref(root);
    return status;
}
