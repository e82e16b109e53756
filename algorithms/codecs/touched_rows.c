/* Only the rows that changed: which (row_set.h), and their values, n · dim floats.
 *
 * Lossless for every method that leaves untouched rows as they were. It shows the
 * server which items a client trained on. */
#include "algorithms/codec.h"
#include "algorithms/codecs/row_set.h"

static size_t encode(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    (void)settings;
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    frs_row_set_put(out, touched.ids, touched.n, rows->n_rows);
    for (size_t i = 0; i < touched.n; i++)
        frs_buffer_put_floats(out, rows->values + touched.at[i] * rows->dim, rows->dim);
    frs_encoding_sent(how, touched.n * rows->dim);
    return touched.n * rows->dim * sizeof(float);
}

static size_t length(const struct frs_part *shape, size_t n, size_t *nominal_bytes) {
    *nominal_bytes = n * shape->dim * sizeof(float);
    return frs_row_set_length(n, shape->n_rows) + *nominal_bytes;
}

static bool decode(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)settings;
    (void)base; /* every row that was sent differs from it */
    const uint32_t *ids;
    size_t n;
    if (!frs_row_set_take(in, n_rows, arena, &ids, &n))
        return false;
    float *values = frs_arena_take(arena, n * dim, sizeof *values);
    frs_reader_floats(in, values, n * dim);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return !in->failed;
}

const struct frs_codec frs_codec_touched_rows = {
    .plugin = {.name = "touched_rows",
        .summary = "only the rows that changed, with their ids or a bit map",
        .source = "sparsity of one client's data"},
    .lossless = true,
    .reveals_rows = true,
    .sends_values = true,
    .encode = encode,
    .length = length,
    .decode = decode,
};
