/* Only the rows that changed: how many, which (ids or a bit map, whichever is shorter), and their values.
 *
 *   n u32 · form u8 (0: ids u32 each, 1: map of ⌈n_rows/8⌉ bytes) · which · n · dim floats
 *
 * Lossless for every method that leaves untouched rows as they were (algorithms.md, section 6). It shows the
 * server which items a client trained on. */
#include "algorithms/codec.h"

#include <string.h>

enum form { FORM_IDS, FORM_MAP };

static size_t row_id(const struct frs_rows *rows, size_t i) {
    return rows->ids ? rows->ids[i] : i;
}

/* Differs from the base bit for bit. A row that came out of training as it went in is not sent: who
 * aggregates per item then divides by the same number of clients under every lossless codec. */
static bool is_changed(const struct frs_rows *rows, size_t i, const float *base) {
    const float *values = rows->values + i * rows->dim;
    if (base)
        return memcmp(values, base + row_id(rows, i) * rows->dim, rows->dim * sizeof *values) != 0;
    uint32_t bits = 0, some;
    for (size_t k = 0; k < rows->dim; k++) {
        memcpy(&some, &values[k], sizeof some);
        bits |= some;
    }
    return bits != 0;
}

static size_t encode(
    const void *settings, const struct frs_rows *rows, const float *base, struct frs_buffer *out) {
    (void)settings;
    size_t map_bytes = (rows->n_rows + 7) / 8, n = 0;
    for (size_t i = 0; i < rows->n; i++)
        n += is_changed(rows, i, base);
    enum form form = n * sizeof(uint32_t) <= map_bytes ? FORM_IDS : FORM_MAP;
    frs_buffer_put_u32(out, (uint32_t)n);
    frs_buffer_put_u8(out, (uint8_t)form);
    uint8_t *which = frs_buffer_extend(out, form == FORM_IDS ? n * sizeof(uint32_t) : map_bytes);
    if (form == FORM_MAP)
        memset(which, 0, map_bytes);
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t row = (uint32_t)row_id(rows, i);
        if (!is_changed(rows, i, base))
            continue;
        if (form == FORM_MAP)
            which[row / 8] |= (uint8_t)(1u << row % 8);
        else
            which = (uint8_t *)memcpy(which, &row, sizeof row) + sizeof row;
    }
    for (size_t i = 0; i < rows->n; i++)
        if (is_changed(rows, i, base))
            frs_buffer_put_floats(out, rows->values + i * rows->dim, rows->dim);
    return n * rows->dim * sizeof(float);
}

static bool decode_ids(struct frs_reader *in, size_t n_rows, size_t n, uint32_t *ids) {
    for (size_t i = 0; i < n; i++) {
        ids[i] = frs_reader_u32(in);
        if (in->failed || ids[i] >= n_rows || (i > 0 && ids[i] <= ids[i - 1]))
            return false;
    }
    return true;
}

static bool decode_map(struct frs_reader *in, size_t n_rows, size_t n, uint32_t *ids) {
    size_t map_bytes = (n_rows + 7) / 8, found = 0;
    const uint8_t *map = frs_reader_take(in, map_bytes);
    for (size_t row = 0; map && row < 8 * map_bytes; row++) {
        if (!(map[row / 8] >> row % 8 & 1))
            continue;
        if (row >= n_rows || found == n)
            return false;
        ids[found++] = (uint32_t)row;
    }
    return map && found == n;
}

static bool decode(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)settings;
    (void)base; /* every row that was sent differs from it */
    size_t n = frs_reader_u32(in);
    uint8_t form = frs_reader_u8(in);
    if (in->failed || n > n_rows || form > FORM_MAP)
        return false;
    uint32_t *ids = frs_arena_take(arena, n, sizeof *ids);
    if (!(form == FORM_IDS ? decode_ids : decode_map)(in, n_rows, n, ids))
        return false;
    float *values = frs_arena_take(arena, n * dim, sizeof *values);
    frs_reader_floats(in, values, n * dim);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return !in->failed;
}

const struct frs_codec frs_codec_touched_rows = {
    .plugin = {.name = "touched_rows",
        .summary = "only the rows that changed, with their ids or a bit map",
        .source = "sparsity of one client's data; algorithms.md, section 6"},
    .lossless = true,
    .reveals_rows = true,
    .encode = encode,
    .decode = decode,
};
