#include "sim/base/files/archive.h"

#include <string.h>

void frs_archive_bytes(struct frs_archive *archive, void *bytes, size_t n) {
    if (n == 0)
        return;
    if (archive->out) {
        frs_buffer_put(archive->out, bytes, n);
        return;
    }
    if (archive->sink) {
        archive->sink(archive->context, bytes, n);
        return;
    }
    const uint8_t *from = frs_reader_take(archive->in, n);
    if (from)
        memcpy(bytes, from, n);
}

void frs_archive_size(struct frs_archive *archive, size_t *value) {
    frs_archive_bytes(archive, value, sizeof *value);
}

void frs_archive_u32(struct frs_archive *archive, uint32_t *value) {
    frs_archive_bytes(archive, value, sizeof *value);
}

void frs_archive_u64(struct frs_archive *archive, uint64_t *value) {
    frs_archive_bytes(archive, value, sizeof *value);
}

void frs_archive_bools(struct frs_archive *archive, bool *values, size_t n) {
    if (!archive->in) {
        frs_archive_bytes(archive, values, n);
        return;
    }
    const uint8_t *from = frs_reader_take(archive->in, n);
    for (size_t i = 0; i < n; i++) {
        values[i] = from && from[i] == 1;
        archive->in->failed |= from && from[i] > 1;
    }
}

void frs_archive_buffer(struct frs_archive *archive, struct frs_buffer *buffer) {
    size_t n = buffer->n;
    frs_archive_size(archive, &n);
    if (!archive->in) {
        frs_archive_bytes(archive, buffer->bytes, n);
        return;
    }
    const uint8_t *from = frs_reader_take(archive->in, n);
    frs_buffer_reset(buffer);
    if (from && n > 0)
        frs_buffer_put(buffer, from, n);
}
