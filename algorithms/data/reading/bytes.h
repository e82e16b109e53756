/* Bytes: what a data file holds, from its beginning to its end, unpacked where it is compressed. */
#ifndef FRS_ALGORITHMS_DATA_READING_BYTES_H
#define FRS_ALGORITHMS_DATA_READING_BYTES_H

#include "sim/base/files/digest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A compression: one file, one constant of this type, one line in decoders.def. */
struct frs_decoder {
    const char *name; /* "gzip" */
    const char *magic;
    size_t n_magic; /* the first bytes of every such file */
    void *(*start)(void);
    /* Takes bytes from in[*at .. n) and writes up to `room` of them to `out`; adds to *at and *got. `last`:
     * the file ends behind `n`. *whole tells whether the stream is complete. Returns NULL, or what is
     * wrong. */
    const char *(*step)(void *state, const unsigned char *in, size_t n, size_t *at, bool last, char *out,
        size_t room, size_t *got, bool *whole);
    void (*finish)(void *state);
};

struct frs_bytes {
    FILE *file;         /* NULL: the bytes are in memory */
    const char *memory; /* borrowed */
    size_t n_memory;
    const struct frs_decoder *decoder; /* NULL: not compressed */
    void *state;
    unsigned char *raw; /* compressed bytes that wait */
    size_t raw_at, n_raw;
    bool raw_ended, whole;
    struct frs_digester digester; /* of the file as it is stored */
    const char *failure;          /* why no more can be read; NULL: the end, or nothing wrong */
};

/* Opens a file. Returns NULL, or why it cannot be read; then nothing has to be closed. Archives (zip) and
 * compressions that are not read are refused by name. */
const char *frs_bytes_open(struct frs_bytes *bytes, const char *path);

/* The same with the n bytes of a text in place of a file. */
const char *frs_bytes_of(struct frs_bytes *bytes, const char *text, size_t n);

/* Reads up to `room` bytes, fewer only at the end and on failure. */
size_t frs_bytes_read(struct frs_bytes *bytes, char *to, size_t room);

void frs_bytes_close(struct frs_bytes *bytes);

#endif
