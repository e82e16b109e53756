#include "sim/base/files/input.h"
#include "sim/base/errors.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 1 << 16 };

static const struct {
    size_t most;
    const char *exceeded;
} limits[] = {
    [FRS_INPUT_SCENARIO] = {(size_t)FRS_LIMIT_SCENARIO_MIB << 20,
        "is larger than " FRS_LIMIT_TEXT(FRS_LIMIT_SCENARIO_MIB) " MiB"},
    [FRS_INPUT_INCLUDED] = {(size_t)FRS_LIMIT_SCENARIO_MIB << 20,
        "is larger than " FRS_LIMIT_TEXT(FRS_LIMIT_SCENARIO_MIB) " MiB"},
    [FRS_INPUT_DATA] = {(size_t)FRS_LIMIT_FILE_GIB << 30,
        "is larger than " FRS_LIMIT_TEXT(FRS_LIMIT_FILE_GIB) " GiB"},
};

static const char *check_type(int file) {
    struct stat info;
    if (fstat(file, &info) != 0)
        return strerror(errno);
    if (S_ISDIR(info.st_mode))
        return "is a folder";
    return S_ISREG(info.st_mode) ? NULL : "is not a regular file";
}

static const char mark[] = "\xEF\xBB\xBF";
enum { MARK = sizeof mark - 1 };

static void skip_mark(FILE *file) {
    char start[MARK];
    if (fread(start, 1, MARK, file) != MARK || memcmp(start, mark, MARK) != 0)
        rewind(file);
}

/* Without O_NONBLOCK open() would wait for a pipe before its type can be checked. */
static const char *open_whole(const char *path, FILE **file) {
    *file = NULL;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return strerror(errno);
    const char *reason = check_type(descriptor);
    if (reason) {
        close(descriptor);
        return reason;
    }
    *file = fdopen(descriptor, "r");
    FRS_INVARIANT(*file, "out of memory");
    return NULL;
}

const char *frs_input_open(const char *path, FILE **file) {
    const char *reason = open_whole(path, file);
    if (!reason)
        skip_mark(*file);
    return reason;
}

/* Buffer size for a first read: the size that the system reports plus one byte, so that the read reaches the
 * end of the file. Some files (pipes, those of the system) report none. */
static size_t expected_size(FILE *stream) {
    struct stat info;
    bool known = fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
    return known ? (size_t)info.st_size + 1 : CHUNK;
}

const char *frs_input_read_stream(FILE *stream, enum frs_input kind, char **bytes, size_t *n) {
    const char *reason = NULL;
    size_t capacity = expected_size(stream) + 1, got;
    *bytes = NULL;
    *n = 0;
    if (capacity > limits[kind].most + 2)
        return limits[kind].exceeded;
    do {
        *bytes = frs_grow(*bytes, *n + 2, &capacity, 1);
        got = fread(*bytes + *n, 1, capacity - *n - 1, stream);
        *n += got;
    } while (got > 0 && *n <= limits[kind].most);
    bool marked = *n >= MARK && memcmp(*bytes, mark, MARK) == 0;
    if (marked)
        memmove(*bytes, *bytes + MARK, *n -= MARK);
    (*bytes)[*n] = '\0';
    if (ferror(stream))
        reason = strerror(errno);
    else if (marked && kind == FRS_INPUT_INCLUDED)
        reason = "it begins with a byte order mark; save it as UTF-8 without one";
    else if (*n > limits[kind].most)
        reason = limits[kind].exceeded;
    if (reason) {
        free(*bytes);
        *bytes = NULL;
    }
    return reason;
}

const char *frs_input_read(const char *path, enum frs_input kind, char **bytes, size_t *n) {
    FILE *file;
    *bytes = NULL;
    const char *reason = open_whole(path, &file);
    if (reason)
        return reason;
    reason = frs_input_read_stream(file, kind, bytes, n);
    fclose(file);
    return reason;
}

enum frs_line frs_input_line(FILE *file, char **text, size_t *size, size_t *length) {
    int byte = 0;
    *length = 0;
    while (byte != '\n' && *length < FRS_INPUT_LINE_BYTES && (byte = getc_unlocked(file)) != EOF) {
        if (*length + 2 > *size)
            *text = frs_grow(*text, *length + 2, size, 1);
        (*text)[(*length)++] = (char)byte;
    }
    if (*length == 0)
        return FRS_LINE_NONE;
    (*text)[*length] = '\0';
    return byte == '\n' || byte == EOF ? FRS_LINE_READ : FRS_LINE_LONG;
}

const char *frs_input_digest(const char *path, struct frs_digest *digest) {
    char bytes[1 << 14];
    size_t n;
    FILE *file;
    const char *reason = frs_input_open(path, &file);
    struct frs_digester digester = frs_digester_init();
    while (!reason && (n = fread(bytes, 1, sizeof bytes, file)) > 0)
        frs_digester_add(&digester, bytes, n);
    if (!reason && ferror(file))
        reason = strerror(errno);
    if (file)
        fclose(file);
    *digest = frs_digester_finish(&digester);
    return reason;
}
