/* Archive: one description of an object's changing state serves both to save and to load it.
 *
 * A function that takes an archive names its fields in a fixed order. Saving appends them to a buffer or
 * hands them to a sink; loading replaces them. Only the program that wrote an archive reads it, so numbers
 * are in the machine's own format. */
#ifndef FRS_BASE_ARCHIVE_H
#define FRS_BASE_ARCHIVE_H

#include "sim/base/buffer.h"

#include <stdbool.h>

struct frs_archive {
    struct frs_buffer *out;                                   /* saving, */
    void (*sink)(void *context, const void *bytes, size_t n); /* or this */
    void *context;
    struct frs_reader *in; /* loading; `in->failed` tells that the archive is too short */
};

static inline bool frs_archive_loads(const struct frs_archive *archive) {
    return archive->in;
}

void frs_archive_bytes(struct frs_archive *archive, void *bytes, size_t n);
void frs_archive_size(struct frs_archive *archive, size_t *value);
void frs_archive_u32(struct frs_archive *archive, uint32_t *value);
void frs_archive_u64(struct frs_archive *archive, uint64_t *value);

/* [n]; a byte that is neither 0 nor 1 makes the archive fail. */
void frs_archive_bools(struct frs_archive *archive, bool *values, size_t n);

/* Length and content; what the buffer held before loading is replaced. */
void frs_archive_buffer(struct frs_archive *archive, struct frs_buffer *buffer);

#endif
