#include "sim/base/files/create.h"

#include <errno.h>
#include <fcntl.h>
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
