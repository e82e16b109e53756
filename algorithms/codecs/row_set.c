#include "algorithms/codecs/row_set.h"
#include "algorithms/kernels/compare.h"
#include "sim/base/numbers/levels.h"

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

/* Eight bytes of the map at a time; what lies beyond it is 0. */
static uint64_t map_word(const uint8_t *map, size_t n_bytes) {
    uint64_t word = 0;
    memcpy(&word, map, n_bytes < sizeof word ? n_bytes : sizeof word);
    return word;
}

static bool take_map(struct frs_reader *in, size_t n_rows, size_t n, uint32_t *ids) {
    size_t map_bytes = (n_rows + 7) / 8, found = 0;
    const uint8_t *map = frs_reader_take(in, map_bytes);
    for (size_t at = 0; map && at < map_bytes; at += sizeof(uint64_t))
        for (uint64_t word = map_word(map + at, map_bytes - at); word != 0; word &= word - 1) {
            size_t row = 8 * at + (size_t)__builtin_ctzll(word);
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

/* A row that training left unchanged is not sent. So an aggregation per item divides by the same number of
 * clients under every codec. */
struct frs_touched frs_touched(const struct frs_rows *rows, const float *base, struct frs_arena *arena) {
    uint32_t *at = frs_arena_take(arena, rows->n, sizeof *at);
    size_t n = frs_rows_changed((const uint8_t *)rows->values, rows->ids, rows->n, rows->dim, base, at);
    if (!rows->ids)
        return (struct frs_touched){.n = n, .ids = at, .at = at};
    uint32_t *ids = frs_arena_take(arena, n, sizeof *ids);
    for (size_t i = 0; i < n; i++)
        ids[i] = rows->ids[at[i]];
    return (struct frs_touched){.n = n, .ids = ids, .at = at};
}

float *frs_touched_changes(const struct frs_rows *rows, const struct frs_touched *touched, const float *base,
    struct frs_arena *arena) {
    float *changes = frs_arena_take(arena, touched->n * rows->dim, sizeof *changes);
    frs_rows_difference(rows->values, touched->at, base, touched->ids, touched->n, rows->dim, changes);
    return changes;
}

FRS_CLONES void frs_add_base(float *values, const uint32_t *ids, size_t n, size_t dim, const float *base) {
    for (size_t i = 0; base && i < n; i++)
        for (size_t k = 0; k < dim; k++)
            values[i * dim + k] += base[ids[i] * dim + k];
}
