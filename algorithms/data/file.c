#include "algorithms/data/file.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/settings/path.h"

#include <stdlib.h>
#include <string.h>

const char *frs_file_path(const struct frs_values *values, const char *key, struct frs_errors *errors) {
    const char *path = frs_values_path(values, key, errors);
    if (!path || *path)
        return path;
    frs_values_error(values, key, errors, "is missing; this format is read from a file");
    return NULL;
}

enum frs_status frs_file_read(const struct frs_values *values, const char *key, const char *path, char **text,
    size_t *n, struct frs_errors *errors) {
    const char *reason = frs_input_read(path, FRS_INPUT_DATA, text, n);
    if (reason)
        return frs_values_error(values, key, errors, "%s: cannot be read: %s", path, reason);
    if (*n > 0)
        return FRS_OK;
    free(*text);
    *text = NULL;
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s: is empty; expected one interaction per line", path);
}
