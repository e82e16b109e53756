/* A file in memory that a target gives to a reader, by a path that ends with the process. */
#ifndef FRS_TESTS_FUZZ_FUZZ_FILE_H
#define FRS_TESTS_FUZZ_FUZZ_FILE_H

#include "sim/base/errors.h"
#include "sim/base/invariant.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Zeroed: not made yet. */
struct fuzz_file {
    int file; /* 0: there is none */
    char path[64];
};

/* Replaces what the file holds. Returns its path. */
static inline char *fuzz_file_write(struct fuzz_file *to, const void *bytes, size_t n) {
    if (to->file <= 0) {
        to->file = memfd_create("fuzz", 0);
        snprintf(to->path, sizeof to->path, "/proc/self/fd/%d", to->file);
    }
    FRS_INVARIANT(to->file > 0 && ftruncate(to->file, 0) == 0 && pwrite(to->file, bytes, n, 0) == (ssize_t)n,
        "no file in memory");
    return to->path;
}

/* What every reader promises: an error where it fails, none where it does not, each one line. */
static inline void fuzz_check_errors(bool failed, const struct frs_errors *errors) {
    FRS_INVARIANT(failed == (errors->n > 0), "%s with %zu errors", failed ? "failed" : "read", errors->n);
    for (size_t i = 0; i < errors->n; i++)
        FRS_INVARIANT(*errors->lines[i], "an empty error");
}

/* Takes the first line off an input, without its end; false where it has none shorter than `size`. */
static inline bool fuzz_take_line(const uint8_t **data, size_t *n, char *line, size_t size) {
    const uint8_t *end = *n > 0 ? memchr(*data, '\n', *n) : NULL;
    size_t length = end ? (size_t)(end - *data) : 0;
    if (!end || length >= size)
        return false;
    memcpy(line, *data, length);
    line[length] = '\0';
    *data += length + 1;
    *n -= length + 1;
    return true;
}

#endif
