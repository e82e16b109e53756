#include "sim/base/files/create.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
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

int frs_create_nameless(const char *path) {
    char *copy = frs_strdup(path);
    int file =
        access("/proc/self/fd", X_OK) == 0 ? open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(copy);
    return file;
}

bool frs_create_name(int file, const char *path) {
    char nameless[64];
    snprintf(nameless, sizeof nameless, "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, nameless, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
}

static enum frs_status taken(const char *path, const char *advice, struct frs_errors *errors) {
    return frs_errors_add(
        errors, FRS_ERR_INPUT, "%s: is there already, and is left alone; allowed: %s", path, advice);
}

/* A file without a name goes with the process, also where that is killed. */
enum frs_status frs_create_whole(
    const char *path, const char *text, size_t n, const char *advice, struct frs_errors *errors) {
    int descriptor = frs_create_nameless(path);
    bool named = descriptor < 0;
    if (named)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    if (!file)
        return errno == EEXIST ? taken(path, advice, errors)
                               : frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", path, strerror(errno));
    bool written = fwrite(text, 1, n, file) == n && fflush(file) == 0;
    named = named || (written && frs_create_name(descriptor, path));
    int reason = errno;
    if (fclose(file) != 0 && written && named) {
        written = false;
        reason = errno;
    }
    if (written && named)
        return FRS_OK;
    if (named)
        unlink(path);
    return written && reason == EEXIST
               ? taken(path, advice, errors)
               : frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(reason));
}
