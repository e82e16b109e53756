#include "algorithms/codecs/row_set.h"
#include "algorithms/kernels/compare.h"

#include <string.h>

enum form { FORM_IDS, FORM_MAP };

size_t frs_row_set_length(size_t n, size_t n_rows) {
    size_t map_bytes = (n_rows + 7) / 8, ids_bytes = n * sizeof(uint32_t);
    return sizeof(uint32_t) + 1 + (ids_bytes <= map_bytes ? ids_bytes : map_bytes);
}

static void put_map(struct frs_buffer *out, const uint32_t *ids, size_t n, size_t map_bytes) {
    uint8_t *map = frs_buffer_extend(out, map_bytes);
    memset(map, 0, map_bytes);
    for (size_t i = 0; i < n; i++)
        map[ids[i] / 8] |= (uint8_t)(1u << ids[i] % 8);
}

void frs_row_set_put(struct frs_buffer *out, const uint32_t *ids, size_t n, size_t n_rows) {
    size_t map_bytes = (n_rows + 7) / 8;
    enum form form = n * sizeof *ids <= map_bytes ? FORM_IDS : FORM_MAP;
    frs_buffer_put_u32(out, (uint32_t)n);
    frs_buffer_put_u8(out, (uint8_t)form);
    if (form == FORM_MAP)
        put_map(out, ids, n, map_bytes);
    else
        for (size_t i = 0; i < n; i++)
            frs_buffer_put_u32(out, ids[i]);
}

static bool take_ids(struct frs_reader *in, size_t n_rows, size_t n, uint32_t *ids) {
    for (size_t i = 0; i < n; i++) {
        ids[i] = frs_reader_u32(in);
        if (in->failed || ids[i] >= n_rows || (i > 0 && ids[i] <= ids[i - 1]))
            return false;
    }
    return true;
}

static bool take_map(struct frs_reader *in, size_t n_rows, size_t n, uint32_t *ids) {
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

bool frs_row_set_take(
    struct frs_reader *in, size_t n_rows, struct frs_arena *arena, const uint32_t **ids, size_t *n) {
    *n = frs_reader_u32(in);
    uint8_t form = frs_reader_u8(in);
    if (in->failed || *n > n_rows || form > FORM_MAP)
        return false;
    uint32_t *taken = frs_arena_take(arena, *n, sizeof *taken);
    *ids = taken;
    return (form == FORM_IDS ? take_ids : take_map)(in, n_rows, *n, taken);
}

static size_t row_id(const struct frs_rows *rows, size_t i) {
    return rows->ids ? rows->ids[i] : i;
}

/* A row that came out of training as it went in is not sent: who aggregates per item then divides by the same
 * number of clients under every codec. */
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

struct frs_touched frs_touched(const struct frs_rows *rows, const float *base, struct frs_arena *arena) {
    uint32_t *ids = frs_arena_take(arena, rows->n, sizeof *ids);
    uint32_t *at = frs_arena_take(arena, rows->n, sizeof *at);
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        if (!is_changed(rows, i, base))
            continue;
        ids[n] = (uint32_t)row_id(rows, i);
        at[n++] = (uint32_t)i;
    }
    return (struct frs_touched){.n = n, .ids = ids, .at = at};
}

float *frs_touched_changes(const struct frs_rows *rows, const struct frs_touched *touched, const float *base,
    struct frs_arena *arena) {
    size_t dim = rows->dim;
    float *changes = frs_arena_take(arena, touched->n * dim, sizeof *changes);
    for (size_t i = 0; i < touched->n; i++) {
        const float *row = rows->values + touched->at[i] * dim;
        frs_row_difference(row, base ? base + touched->ids[i] * dim : NULL, dim, changes + i * dim);
    }
    return changes;
}

void frs_add_base(float *values, const uint32_t *ids, size_t n, size_t dim, const float *base) {
    for (size_t i = 0; base && i < n; i++)
        for (size_t k = 0; k < dim; k++)
            values[i * dim + k] += base[ids[i] * dim + k];
}
