/* Every row of the table as float32: 4 · n_rows · dim bytes, whatever was touched. */
#include "algorithms/codec.h"
#include "algorithms/kernels/compare.h"

#include <string.h>

static size_t encode(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    (void)settings;
    size_t bytes = rows->n_rows * rows->dim * sizeof(float), row_bytes = rows->dim * sizeof(float);
    uint8_t *table = frs_buffer_extend(out, bytes);
    frs_encoding_sent(how, rows->n_rows * rows->dim);
    if (!rows->ids) {
        memcpy(table, rows->values, bytes);
        return bytes;
    }
    if (how->base)
        memcpy(table, how->base, bytes);
    else
        memset(table, 0, bytes);
    for (size_t i = 0; i < rows->n; i++)
        memcpy(table + rows->ids[i] * row_bytes, rows->values + i * rows->dim, row_bytes);
    return bytes;
}

static size_t length(const struct frs_part *shape, size_t n, size_t *nominal_bytes) {
    (void)n;
    return *nominal_bytes = shape->n_rows * shape->dim * sizeof(float);
}

static bool decode(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)settings;
    size_t row_bytes = dim * sizeof(float);
    const uint8_t *table = frs_reader_take(in, n_rows * row_bytes);
    if (!table)
        return false;
    uint32_t *ids = frs_arena_take(arena, n_rows, sizeof *ids);
    size_t n = frs_rows_changed(table, NULL, n_rows, dim, base, ids);
    float *values = frs_arena_take(arena, n * dim, sizeof *values);
    for (size_t i = 0; i < n; i++)
        memcpy(values + i * dim, table + ids[i] * row_bytes, row_bytes);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return true;
}

const struct frs_codec frs_codec_dense = {
    .plugin = {.name = "dense",
        .summary = "the whole table as 32-bit floats",
        .source = "what FedMF and CoLR send as published"},
    .lossless = true,
    .fixed_size = true,
    .sends_values = true,
    .encode = encode,
    .length = length,
    .decode = decode,
};
