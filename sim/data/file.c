#include "sim/data/file.h"
#include "sim/base/input.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define VARIABLE "FEDRECSIM_DATA"

enum frs_status frs_file_path(
    const struct frs_values *values, const char *key, char **path, struct frs_errors *errors) {
    const char *text = frs_values_text(values, key), *prefix = "$" VARIABLE "/";
    *path = NULL;
    if (!*text)
        return frs_values_error(values, key, errors, "is missing; this format is read from a file");
    if (strncmp(text, prefix, strlen(prefix)) != 0) {
        *path = frs_strdup(text);
        return FRS_OK;
    }
    const char *folder = getenv(VARIABLE);
    if (!folder || !*folder)
        return frs_values_error(values, key, errors,
            "\"%s\" needs the environment variable " VARIABLE
            ", which is not set; set it to the folder of the data sets",
            text);
    *path = frs_format("%s/%s", folder, text + strlen(prefix));
    return FRS_OK;
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
