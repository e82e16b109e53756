#include "sim/base/buffer.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "messages are little-endian and copied as they are");

void frs_buffer_reset(struct frs_buffer *buffer) {
    buffer->n = 0;
}

void frs_buffer_fit(struct frs_buffer *buffer, size_t n) {
    buffer->n = 0;
    if (buffer->capacity >= n && buffer->capacity - n <= n / 8)
        return;
    free(buffer->bytes);
    buffer->bytes = frs_alloc_lazily(n, 1);
    buffer->capacity = n;
}

void frs_buffer_trim(struct frs_buffer *buffer) {
    uint8_t *bytes = buffer->n > 0 ? realloc(buffer->bytes, buffer->n) : NULL;
    if (!bytes) /* nothing to keep; or it cannot be made smaller, and stays as it is */
        return;
    buffer->bytes = bytes;
    buffer->capacity = buffer->n;
}

void frs_buffer_fini(struct frs_buffer *buffer) {
    free(buffer->bytes);
    *buffer = (struct frs_buffer){0};
}

uint8_t *frs_buffer_extend(struct frs_buffer *buffer, size_t n) {
    FRS_INVARIANT(n <= SIZE_MAX - buffer->n, "a message of more bytes than there are addresses");
    buffer->bytes = frs_grow(buffer->bytes, buffer->n + n, &buffer->capacity, 1);
    buffer->n += n;
    return buffer->bytes + buffer->n - n;
}

void frs_buffer_put(struct frs_buffer *buffer, const void *bytes, size_t n) {
    if (n > 0)
        memcpy(frs_buffer_extend(buffer, n), bytes, n);
}

void frs_buffer_put_u8(struct frs_buffer *buffer, uint8_t value) {
    frs_buffer_put(buffer, &value, sizeof value);
}

void frs_buffer_put_u32(struct frs_buffer *buffer, uint32_t value) {
    frs_buffer_put(buffer, &value, sizeof value);
}

void frs_buffer_put_u64(struct frs_buffer *buffer, uint64_t value) {
    frs_buffer_put(buffer, &value, sizeof value);
}

void frs_buffer_put_floats(struct frs_buffer *buffer, const float *values, size_t n) {
    frs_buffer_put(buffer, values, n * sizeof *values);
}

struct frs_reader frs_reader_init(const void *bytes, size_t n) {
    static const uint8_t nothing; /* of which no bytes can be taken, unlike of NULL */
    return (struct frs_reader){.bytes = bytes ? bytes : &nothing, .n = n};
}

const uint8_t *frs_reader_take(struct frs_reader *reader, size_t n) {
    if (reader->failed || n > reader->n - reader->at) {
        reader->failed = 1;
        return NULL;
    }
    reader->at += n;
    return reader->bytes + reader->at - n;
}

static void take(struct frs_reader *reader, void *out, size_t n) {
    const uint8_t *bytes = frs_reader_take(reader, n);
    if (n == 0) /* memcpy and memset refuse NULL even then */
        return;
    if (bytes)
        memcpy(out, bytes, n);
    else
        memset(out, 0, n);
}

uint8_t frs_reader_u8(struct frs_reader *reader) {
    uint8_t value;
    take(reader, &value, sizeof value);
    return value;
}

uint32_t frs_reader_u32(struct frs_reader *reader) {
    uint32_t value;
    take(reader, &value, sizeof value);
    return value;
}

uint64_t frs_reader_u64(struct frs_reader *reader) {
    uint64_t value;
    take(reader, &value, sizeof value);
    return value;
}

void frs_reader_floats(struct frs_reader *reader, float *values, size_t n) {
    take(reader, values, n * sizeof *values);
}
