/* Tables of +1 and −1 as bits, any other table as 32-bit floats.
 *
 *   form u8 (0: floats, 1: bits) · n_rows × dim values, or ⌈n_rows · dim/8⌉ bytes, lowest bit first, 1 for +1
 *
 * Nominal: all but the form. */
#include "algorithms/codec.h"
#include "algorithms/kernels/compare.h"

#include <string.h>

enum { FLOATS, BITS };

/* The whole table: its rows on top of the base, or of zeros. */
static const float *whole(const struct frs_rows *rows, const struct frs_encoding *how) {
    size_t dim = rows->dim;
    if (!rows->ids)
        return rows->values;
    float *table = frs_arena_take_zeroed(how->arena, rows->n_rows * dim, sizeof *table);
    if (how->base)
        memcpy(table, how->base, rows->n_rows * dim * sizeof *table);
    for (size_t i = 0; i < rows->n; i++)
        memcpy(table + rows->ids[i] * dim, rows->values + i * dim, dim * sizeof *table);
    return table;
}

static bool is_binary(const float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (values[i] != 1 && values[i] != -1)
            return false;
    return true;
}

static size_t encode(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    (void)settings;
    const float *table = whole(rows, how);
    size_t n = rows->n_rows * rows->dim;
    bool bits = is_binary(table, n);
    frs_buffer_put_u8(out, bits ? BITS : FLOATS);
    if (!bits) {
        frs_buffer_put_floats(out, table, n);
        return n * sizeof *table;
    }
    uint8_t *bytes = frs_buffer_extend(out, (n + 7) / 8);
    memset(bytes, 0, (n + 7) / 8);
    for (size_t i = 0; i < n; i++)
        bytes[i / 8] |= (uint8_t)((table[i] > 0) << i % 8);
    return (n + 7) / 8;
}

/* Returns false unless the filling of the last byte is zero. */
static bool take_bits(struct frs_reader *in, size_t n, float *table) {
    const uint8_t *bytes = frs_reader_take(in, (n + 7) / 8);
    if (!bytes)
        return false;
    for (size_t i = 0; i < n; i++)
        table[i] = bytes[i / 8] >> i % 8 & 1 ? 1 : -1;
    return n % 8 == 0 || bytes[n / 8] >> n % 8 == 0;
}

static bool decode(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)settings;
    size_t n = n_rows * dim;
    uint8_t form = frs_reader_u8(in);
    if (in->failed || form > BITS || (form == FLOATS ? n * sizeof(float) : (n + 7) / 8) > in->n - in->at)
        return false;
    float *table = frs_arena_take(arena, n, sizeof *table);
    if (form == FLOATS)
        frs_reader_floats(in, table, n);
    else if (!take_bits(in, n, table))
        return false;
    if (form == FLOATS && is_binary(table, n))
        return false; /* has a shorter form */
    uint32_t *ids = frs_arena_take(arena, n_rows, sizeof *ids);
    size_t n_changed = frs_rows_changed((const uint8_t *)table, NULL, n_rows, dim, base, ids);
    for (size_t i = 0; i < n_changed; i++)
        memmove(table + i * dim, table + ids[i] * dim, dim * sizeof *table);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n_changed, .ids = ids, .values = table};
    return !in->failed;
}

const struct frs_codec frs_codec_binary = {
    .plugin = {.name = "binary",
        .summary = "a table of +1 and -1 as bits, any other as 32-bit floats",
        .source = "what LightFR sends down"},
    .lossless = true,
    .encode = encode,
    .decode = decode,
};
