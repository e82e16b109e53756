#include "sim/data/file.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* One byte more than the file is said to hold is asked for, so that one read usually meets the end. */
static enum frs_status read_all(
    int file, const char *path, char **text, size_t *n, struct frs_errors *errors) {
    struct stat info;
    size_t capacity = fstat(file, &info) == 0 && info.st_size > 0 ? (size_t)info.st_size + 2 : 1 << 16;
    *text = frs_grow(NULL, capacity, &capacity, 1);
    *n = 0;
    for (;;) {
        *text = frs_grow(*text, *n + 2, &capacity, 1);
        ssize_t got = read(file, *text + *n, capacity - *n - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
        if (got == 0)
            break;
        *n += (size_t)got;
    }
    (*text)[*n] = '\0';
    if (*n == 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: is empty; expected one interaction per line", path);
    return FRS_OK;
}

enum frs_status frs_file_read(const char *path, char **text, size_t *n, struct frs_errors *errors) {
    *text = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be opened: %s", path, strerror(errno));
    enum frs_status status = read_all(file, path, text, n, errors);
    close(file);
    if (status != FRS_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
