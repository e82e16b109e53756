/* Uniform quantisation of what changed, every row with a scale of its own.
 *
 *   row set · each row as quantised_row.h has it
 *
 * Nominal: bits/8 for every value of the table. */
#include "algorithms/codec.h"
#include "algorithms/codecs/quantised_row.h"
#include "algorithms/codecs/row_set.h"
#include "sim/base/memory.h"
#include "sim/base/settings/param.h"

static const struct frs_param params[] = {FRS_QUANTISATION_PARAMS, {0}};

static void *create(const struct frs_values *values) {
    struct frs_quantisation *settings = frs_alloc(1, sizeof *settings);
    *settings = frs_quantisation_of(values);
    return settings;
}

static size_t encode(const void *context, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    const struct frs_quantisation *settings = context;
    size_t dim = rows->dim;
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    float *values = frs_touched_changes(rows, &touched, how->base, how->arena);
    frs_row_set_put(out, touched.ids, touched.n, rows->n_rows);
    frs_encoding_spent(how, frs_quantised_flop(settings, touched.n * dim));
    for (size_t i = 0; i < touched.n; i++)
        frs_quantised_row_put(out, settings, values + i * dim, dim, how->rng);
    return rows->n_rows * dim * settings->bits / 8;
}

static bool decode(const void *context, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    const struct frs_quantisation *settings = context;
    const uint32_t *ids;
    size_t n;
    if (!frs_row_set_take(in, n_rows, arena, &ids, &n))
        return false;
    float *values = frs_arena_take(arena, n * dim, sizeof *values);
    for (size_t i = 0; i < n; i++)
        if (!frs_quantised_row_take(in, settings, values + i * dim, dim))
            return false;
    frs_add_base(values, ids, n, dim, base);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return !in->failed;
}

const struct frs_codec frs_codec_quantise = {
    .plugin = {.name = "quantise",
        .summary = "what changed in 8 or 4 bits an entry",
        .source = "Alistarh et al. 2017 (QSGD), with a scale for each row",
        .params = params},
    .reveals_rows = true,
    .create = create,
    .encode = encode,
    .decode = decode,
};
