/* Input: files named by the user, read whole or line by line.
 *
 * Only regular files are accepted: a pipe without a writer blocks, a device may have no end, and some
 * files are read twice. A scenario may also come from standard input. Every input has a largest size; a
 * larger one is taken for a mistake. A byte order mark of UTF-8 at the beginning, which some programs
 * write, is skipped. */
#ifndef FRS_BASE_INPUT_H
#define FRS_BASE_INPUT_H

#include "sim/base/files/digest.h"
#include "sim/base/limits.h"

#include <stdio.h>

enum frs_input {
    FRS_INPUT_SCENARIO, /* up to FRS_LIMIT_SCENARIO_MIB */
    FRS_INPUT_INCLUDED, /* a file that a scenario includes: as above, but a byte order mark is refused,
                           because libconfig opens these files by itself */
    FRS_INPUT_DATA,     /* interactions, tables, traces, results: up to FRS_LIMIT_FILE_GIB */
};

/* Opens a file for reading. NULL, or why it cannot be read ("is a folder"), valid until the next call. */
const char *frs_input_open(const char *path, FILE **file);

/* Reads a file from its beginning to its end. *bytes is freed by the caller and has a zero behind its end.
 * Returns as above; on failure *bytes is NULL. */
const char *frs_input_read(const char *path, enum frs_input kind, char **bytes, size_t *n);

/* The longest line that is accepted. A link that follows the finest trace for six hours in one message
 * needs a line of this length. */
#define FRS_INPUT_LINE_BYTES ((size_t)FRS_LIMIT_LINE_MIB << 20)
#define FRS_INPUT_LINE_TEXT FRS_LIMIT_TEXT(FRS_LIMIT_LINE_MIB) " MiB"

enum frs_line {
    FRS_LINE_NONE, /* the file has ended, or cannot be read (ferror) */
    FRS_LINE_READ,
    FRS_LINE_LONG, /* nothing more can be read */
};

/* Reads the next line, including its end, into *text. *text has room for *size bytes and grows (frs_grow);
 * it receives *length characters and a zero. */
enum frs_line frs_input_line(FILE *file, char **text, size_t *size, size_t *length);

/* The digest of what a file holds. Returns as above. */
const char *frs_input_digest(const char *path, struct frs_digest *digest);

/* As frs_input_read, from an open stream. */
const char *frs_input_read_stream(FILE *stream, enum frs_input kind, char **bytes, size_t *n);

#endif
