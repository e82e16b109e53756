/* Sparse: only the rows that changed (row_set.h), and only their nonzero values where that is shorter.
 *
 *   row: form u8, then 0: dim floats
 *                      1: c, then c columns (u8 up to 256 columns, u16 up to 65,536, else u32) and c
 *                      floats
 *                      2: map of ⌈dim/8⌉ bytes and as many floats as it has ones
 *
 * Each row takes the shortest of its three forms, and of equally long forms the one with the lowest
 * number; messages in any other form are refused. Zero means that all bits are zero. The codec is for
 * tables that are truly sparse, as FedRAP's C is under a proximal step (docs/methods/fedrap.md). It is
 * lossless, and shows the server which items a client trained on. */
#include "algorithms/codec.h"
#include "algorithms/codecs/row_set.h"

#include <string.h>

enum row_form { ROW_DENSE, ROW_COLUMNS, ROW_MAP };

static uint32_t bits_of(const float *value) {
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    return bits;
}

static size_t count_nonzero(const float *row, size_t dim) {
    size_t n = 0;
    for (size_t k = 0; k < dim; k++)
        n += bits_of(&row[k]) != 0;
    return n;
}

static size_t column_bytes(size_t dim) {
    return dim <= 0x100 ? 1 : dim <= 0x10000 ? 2 : 4;
}

/* A count of dim columns need not fit: ROW_COLUMNS is then longer than ROW_DENSE. */
static enum row_form shortest(size_t dim, size_t c) {
    size_t columns = (1 + c) * column_bytes(dim) + c * sizeof(float);
    size_t map = (dim + 7) / 8 + c * sizeof(float), dense = dim * sizeof(float);
    if (dense <= columns && dense <= map)
        return ROW_DENSE;
    return columns <= map ? ROW_COLUMNS : ROW_MAP;
}

static void put_column(struct frs_buffer *out, size_t dim, size_t column) {
    uint8_t bytes[4] = {
        (uint8_t)column, (uint8_t)(column >> 8), (uint8_t)(column >> 16), (uint8_t)(column >> 24)};
    frs_buffer_put(out, bytes, column_bytes(dim));
}

static size_t get_column(struct frs_reader *in, size_t dim) {
    size_t column = 0;
    for (size_t i = 0; i < column_bytes(dim); i++)
        column |= (size_t)frs_reader_u8(in) << 8 * i;
    return column;
}

static void put_map(struct frs_buffer *out, const float *row, size_t dim) {
    uint8_t *map = frs_buffer_extend(out, (dim + 7) / 8);
    memset(map, 0, (dim + 7) / 8);
    for (size_t k = 0; k < dim; k++)
        if (bits_of(&row[k]))
            map[k / 8] |= (uint8_t)(1u << k % 8);
}

/* Returns the number of floats. */
static size_t put_row(struct frs_buffer *out, const float *row, size_t dim) {
    size_t c = count_nonzero(row, dim);
    enum row_form form = shortest(dim, c);
    frs_buffer_put_u8(out, (uint8_t)form);
    if (form == ROW_DENSE) {
        frs_buffer_put_floats(out, row, dim);
        return dim;
    }
    if (form == ROW_MAP)
        put_map(out, row, dim);
    else
        put_column(out, dim, c);
    for (size_t k = 0; k < dim && form == ROW_COLUMNS; k++)
        if (bits_of(&row[k]))
            put_column(out, dim, k);
    for (size_t k = 0; k < dim; k++)
        if (bits_of(&row[k]))
            frs_buffer_put_floats(out, &row[k], 1);
    return c;
}

static size_t encode(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    (void)settings;
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    size_t floats = 0;
    frs_row_set_put(out, touched.ids, touched.n, rows->n_rows);
    for (size_t i = 0; i < touched.n; i++)
        floats += put_row(out, rows->values + touched.at[i] * rows->dim, rows->dim);
    frs_encoding_sent(how, floats);
    return floats * sizeof(float);
}

/* Marks the columns of a row in `has`. Returns their number, or SIZE_MAX when they are not in the form
 * that `encode` writes. */
static size_t get_columns(struct frs_reader *in, size_t dim, uint8_t *has) {
    size_t c = get_column(in, dim), last = 0;
    memset(has, 0, dim);
    if (in->failed || c > dim)
        return SIZE_MAX;
    for (size_t i = 0; i < c; i++) {
        size_t column = get_column(in, dim);
        if (in->failed || column >= dim || (i > 0 && column <= last))
            return SIZE_MAX;
        has[column] = 1;
        last = column;
    }
    return c;
}

static size_t get_map(struct frs_reader *in, size_t dim, uint8_t *has) {
    const uint8_t *map = frs_reader_take(in, (dim + 7) / 8);
    size_t c = 0;
    for (size_t k = 0; map && k < (dim + 7) / 8 * 8; k++) {
        uint8_t bit = map[k / 8] >> k % 8 & 1;
        if (bit && k >= dim)
            return SIZE_MAX;
        if (k < dim)
            has[k] = bit;
        c += bit;
    }
    return map ? c : SIZE_MAX;
}

static bool get_row(struct frs_reader *in, size_t dim, uint8_t *has, float *row) {
    uint8_t form = frs_reader_u8(in);
    if (in->failed || form > ROW_MAP)
        return false;
    size_t c = dim;
    if (form == ROW_DENSE) {
        frs_reader_floats(in, row, dim);
    } else {
        c = form == ROW_MAP ? get_map(in, dim, has) : get_columns(in, dim, has);
        if (c == SIZE_MAX)
            return false;
        memset(row, 0, dim * sizeof *row);
        for (size_t k = 0; k < dim; k++)
            if (has[k])
                frs_reader_floats(in, &row[k], 1);
    }
    size_t found = in->failed ? SIZE_MAX : count_nonzero(row, dim);
    return !in->failed && (form == ROW_DENSE || found == c) && shortest(dim, found) == (enum row_form)form;
}

static bool decode(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)settings;
    (void)base; /* every row that was sent differs from it */
    const uint32_t *ids;
    size_t n;
    if (!frs_row_set_take(in, n_rows, arena, &ids, &n) || n > in->n - in->at) /* at least a byte each */
        return false;
    float *values = frs_arena_take(arena, n * dim, sizeof *values);
    uint8_t *has = frs_arena_take(arena, dim, 1);
    for (size_t i = 0; i < n; i++)
        if (!get_row(in, dim, has, values + i * dim))
            return false;
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return true;
}

const struct frs_codec frs_codec_sparse = {
    .plugin = {.name = "sparse",
        .summary = "of the rows that changed, what is not zero, with its columns where that is shorter",
        .source = "Li et al. 2024 (FedRAP), section 3"},
    .lossless = true,
    .reveals_rows = true,
    .sends_values = true,
    .encode = encode,
    .decode = decode,
};
