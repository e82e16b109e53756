/* Buffer: a message under construction, and a bounds-checked reader of one. All numbers are little-endian.
 *
 * The length of a buffer is the number of bytes that the network carries. */
#ifndef FRS_BASE_BUFFER_H
#define FRS_BASE_BUFFER_H

#include <stddef.h>
#include <stdint.h>

struct frs_buffer {
    uint8_t *bytes;
    size_t n, capacity;
};

/* Empties the buffer but keeps its memory. */
void frs_buffer_reset(struct frs_buffer *buffer);
/* Empties it with room for n bytes and little more: what it holds beyond n + n/8 is given back. */
void frs_buffer_fit(struct frs_buffer *buffer, size_t n);
/* Gives back what it holds beyond its content: for what is kept long. */
void frs_buffer_trim(struct frs_buffer *buffer);
void frs_buffer_fini(struct frs_buffer *buffer);

/* Appends `n` bytes of unspecified content and returns them; valid until the next call. */
uint8_t *frs_buffer_extend(struct frs_buffer *buffer, size_t n);

void frs_buffer_put(struct frs_buffer *buffer, const void *bytes, size_t n);
void frs_buffer_put_u8(struct frs_buffer *buffer, uint8_t value);
void frs_buffer_put_u32(struct frs_buffer *buffer, uint32_t value);
void frs_buffer_put_u64(struct frs_buffer *buffer, uint64_t value);
void frs_buffer_put_floats(struct frs_buffer *buffer, const float *values, size_t n);

/* Once a read passes the end, `failed` is set, that read and all later ones give zeros (or NULL). */
struct frs_reader {
    const uint8_t *bytes;
    size_t n, at;
    int failed;
};

struct frs_reader frs_reader_init(const void *bytes, size_t n);

/* The next `n` bytes in place, or NULL. */
const uint8_t *frs_reader_take(struct frs_reader *reader, size_t n);
uint8_t frs_reader_u8(struct frs_reader *reader);
uint32_t frs_reader_u32(struct frs_reader *reader);
uint64_t frs_reader_u64(struct frs_reader *reader);
void frs_reader_floats(struct frs_reader *reader, float *values, size_t n);

#endif
