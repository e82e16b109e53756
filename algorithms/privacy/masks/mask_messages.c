#include "algorithms/privacy/masks/mask_messages.h"
#include "algorithms/codecs/bits.h"

#include <string.h>

#define MAGIC 0x4d46u /* "FM" */

/* ---- encoders -------------------------------------------------------------------------------- */

static void put_header(
    struct frs_buffer *out, const struct frs_mask_context *of, enum frs_mask_kind kind, size_t count) {
    frs_buffer_reset(out);
    frs_buffer_put_u8(out, MAGIC & 0xff);
    frs_buffer_put_u8(out, MAGIC >> 8);
    frs_buffer_put_u8(out, (uint8_t)kind);
    frs_buffer_put_u8(out, 0);
    frs_buffer_put_u32(out, of->round);
    frs_buffer_put_u32(out, of->party);
    frs_buffer_put_u32(out, (uint32_t)count);
}

void frs_mask_put_keys(
    struct frs_buffer *out, const struct frs_mask_context *of, const struct frs_mask_keys *keys) {
    put_header(out, of, FRS_MASK_KEYS, 1);
    frs_buffer_put(out, keys, sizeof *keys);
}

void frs_mask_put_roster(struct frs_buffer *out, const struct frs_mask_context *of,
    const struct frs_mask_member *members, size_t n) {
    put_header(out, of, FRS_MASK_ROSTER, n);
    for (size_t i = 0; i < n; i++) {
        frs_buffer_put_u32(out, members[i].place);
        frs_buffer_put(out, &members[i].keys, sizeof members[i].keys);
    }
}

void frs_mask_put_boxes(struct frs_buffer *out, const struct frs_mask_context *of, enum frs_mask_kind kind,
    const struct frs_mask_box *boxes, size_t n) {
    put_header(out, of, kind, n);
    for (size_t i = 0; i < n; i++) {
        frs_buffer_put_u32(out, boxes[i].place);
        frs_buffer_put(out, boxes[i].bytes, FRS_MASK_BOX_BYTES);
    }
}

void frs_mask_put_masked(struct frs_buffer *out, const struct frs_mask_context *of, const uint32_t *numbers,
    size_t n, unsigned bits) {
    put_header(out, of, FRS_MASK_MASKED, n);
    frs_bits_put(out, numbers, n, bits);
}

void frs_mask_put_survivors(
    struct frs_buffer *out, const struct frs_mask_context *of, const bool *survived, size_t n) {
    put_header(out, of, FRS_MASK_SURVIVORS, n);
    uint8_t *bytes = frs_buffer_extend(out, (n + 7) / 8);
    memset(bytes, 0, (n + 7) / 8);
    for (size_t i = 0; i < n; i++)
        bytes[i / 8] |= (uint8_t)(survived[i] << i % 8);
}

void frs_mask_put_unmasking(struct frs_buffer *out, const struct frs_mask_context *of,
    const uint8_t (*shares)[FRS_SECRET_BYTES], size_t n) {
    put_header(out, of, FRS_MASK_UNMASKING, n);
    frs_buffer_put(out, shares, n * sizeof *shares);
}

/* ---- decoders -------------------------------------------------------------------------------- */

/* A reader behind the header, of a message of this kind; a failed one otherwise. */
static struct frs_reader take_header(const struct frs_buffer *message, const struct frs_mask_context *of,
    enum frs_mask_kind kind, size_t most, size_t *count) {
    struct frs_reader in = frs_reader_init(message->bytes, message->n);
    unsigned magic = frs_reader_u8(&in);
    magic |= (unsigned)frs_reader_u8(&in) << 8;
    bool right = frs_reader_u8(&in) == kind;
    right &= frs_reader_u8(&in) == 0;
    right &= frs_reader_u32(&in) == of->round;
    right &= frs_reader_u32(&in) == of->party;
    *count = frs_reader_u32(&in);
    in.failed |= magic != MAGIC || !right || *count > most;
    return in;
}

static bool is_over(const struct frs_reader *in) {
    return !in->failed && in->at == in->n;
}

static void take_bytes(struct frs_reader *in, void *out, size_t n) {
    const uint8_t *bytes = frs_reader_take(in, n);
    if (bytes)
        memcpy(out, bytes, n);
}

/* Reads a place; it has to be ascending, in the cohort, and not the reader's own. */
static uint32_t take_place(struct frs_reader *in, const struct frs_mask_context *of, int64_t *last) {
    uint32_t place = frs_reader_u32(in);
    in->failed |= (int64_t)place <= *last || place >= of->n_clients || place == of->party;
    *last = place;
    return place;
}

bool frs_mask_take_keys(
    const struct frs_buffer *message, const struct frs_mask_context *of, struct frs_mask_keys *keys) {
    size_t count;
    struct frs_reader in = take_header(message, of, FRS_MASK_KEYS, 1, &count);
    take_bytes(&in, keys, sizeof *keys);
    return is_over(&in) && count == 1;
}

bool frs_mask_take_roster(const struct frs_buffer *message, const struct frs_mask_context *of,
    struct frs_mask_member *members, size_t most, size_t *n) {
    int64_t last = -1;
    struct frs_reader in = take_header(message, of, FRS_MASK_ROSTER, most, n);
    for (size_t i = 0; !in.failed && i < *n; i++) {
        members[i].place = take_place(&in, of, &last);
        take_bytes(&in, &members[i].keys, sizeof members[i].keys);
    }
    return is_over(&in);
}

bool frs_mask_take_boxes(const struct frs_buffer *message, const struct frs_mask_context *of,
    enum frs_mask_kind kind, struct frs_mask_box *boxes, size_t most, size_t *n) {
    int64_t last = -1;
    struct frs_reader in = take_header(message, of, kind, most, n);
    for (size_t i = 0; !in.failed && i < *n; i++) {
        boxes[i].place = take_place(&in, of, &last);
        take_bytes(&in, boxes[i].bytes, FRS_MASK_BOX_BYTES);
    }
    return is_over(&in);
}

bool frs_mask_take_masked(const struct frs_buffer *message, const struct frs_mask_context *of,
    uint32_t *numbers, size_t n, unsigned bits) {
    size_t count;
    struct frs_reader in = take_header(message, of, FRS_MASK_MASKED, n, &count);
    return !in.failed && count == n && frs_bits_take(&in, numbers, n, bits) && is_over(&in);
}

bool frs_mask_take_survivors(
    const struct frs_buffer *message, const struct frs_mask_context *of, bool *survived, size_t n) {
    size_t count;
    struct frs_reader in = take_header(message, of, FRS_MASK_SURVIVORS, n, &count);
    const uint8_t *bytes = frs_reader_take(&in, (n + 7) / 8);
    if (!bytes || count != n || (n % 8 > 0 && bytes[n / 8] >> n % 8))
        return false;
    for (size_t i = 0; i < n; i++)
        survived[i] = bytes[i / 8] >> i % 8 & 1;
    return is_over(&in);
}

bool frs_mask_take_unmasking(const struct frs_buffer *message, const struct frs_mask_context *of,
    uint8_t (*shares)[FRS_SECRET_BYTES], size_t n) {
    size_t count;
    struct frs_reader in = take_header(message, of, FRS_MASK_UNMASKING, n, &count);
    take_bytes(&in, shares, n * sizeof *shares);
    return is_over(&in) && count == n;
}
