#include "sim/base/files/create.h"
#include "sim/base/errors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* A user who puts a file there again and again can only keep this file from being made. */
enum { TRIES = 10 };

int frs_create_descriptor(const char *path) {
    int file = -1;
    for (int i = 0; i < TRIES && file < 0; i++) {
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0 && (errno != EEXIST || (unlink(path) != 0 && errno != ENOENT)))
            break;
    }
    return file;
}

FILE *frs_create(const char *path) {
    int file = frs_create_descriptor(path);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

enum frs_status frs_create_whole(
    const char *path, const char *text, size_t n, const char *advice, struct frs_errors *errors) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: is there already, and is left alone; allowed: %s", path, advice);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", path, strerror(errno));
    bool written = fwrite(text, 1, n, file) == n;
    if (fclose(file) == 0 && written)
        return FRS_OK;
    enum frs_status status = frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
    unlink(path);
    return status;
}
