/* Halves: what changed, every value by the upper half of its bits (bfloat16).
 *
 *   row set (row_set.h) · n · dim values u16
 *
 * Cutting the lower half moves a value towards zero, by less than 1/128 of it. Nominal: the values. */
#include "algorithms/codec.h"
#include "algorithms/codecs/row_set.h"
#include "sim/plugins/table.h"

#include <math.h>
#include <string.h>

static uint16_t upper_half(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static float from_upper_half(uint16_t half) {
    uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static size_t encode(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    (void)settings;
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    float *changes = frs_touched_changes(rows, &touched, how->base, how->arena);
    frs_row_set_put(out, touched.ids, touched.n, rows->n_rows);
    for (size_t i = 0; i < touched.n * rows->dim; i++) {
        uint16_t half = upper_half(changes[i]);
        frs_buffer_put_u8(out, (uint8_t)half);
        frs_buffer_put_u8(out, (uint8_t)(half >> 8));
    }
    return touched.n * rows->dim * 2;
}

static bool decode(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)settings;
    const uint32_t *ids;
    size_t n;
    if (!frs_row_set_take(in, n_rows, arena, &ids, &n))
        return false;
    float *values = frs_arena_take(arena, n * dim, sizeof *values);
    for (size_t i = 0; i < n * dim; i++) {
        uint16_t low = frs_reader_u8(in), high = frs_reader_u8(in);
        values[i] = from_upper_half((uint16_t)(high << 8 | low));
        if (!isfinite(values[i]))
            return false;
    }
    frs_add_base(values, ids, n, dim, base);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return !in->failed;
}

const struct frs_codec frs_codec_halves = {
    .plugin = {.name = "halves",
        .summary = "what changed in 16 bits an entry",
        .source = "bfloat16, without rounding"},
    .reveals_rows = true,
    .encode = encode,
    .decode = decode,
};

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .codecs = (const struct frs_codec *const[]){&frs_codec_halves, NULL},
};
