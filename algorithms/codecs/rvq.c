/* Residual quantisation: k-means puts the rows that changed into groups, then what is left of them into
 * groups again, level by level. A row is the sum of its codes, one of each level.
 *
 *   row set · levels u8 · for each level: codes u32 · n ids of ⌈log2 codes⌉ bits · codes · dim floats
 *
 * With levels = 0 the rows follow as they are, n · dim floats: where codes and ids would not be shorter, so
 * that a message never grows by being coded, and a smaller budget never makes it longer. A level is the last
 * one if nothing is left of any row. Nominal: codes and ids. */
#include "algorithms/codecs/bits.h"
#include "algorithms/codecs/row_set.h"
#include "algorithms/kernels/algebra/cluster.h"
#include "algorithms/codec.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <string.h>

enum { MAX_LEVELS = 16 };

struct settings {
    uint32_t levels, codes;
};

static const struct frs_param params[] = {
    {.key = "levels",
        .type = FRS_INT,
        .initial = "4",
        .min = 1,
        .max = MAX_LEVELS,
        .help = "levels L; adaptation can assign fewer"},
    {.key = "codes", .type = FRS_INT, .initial = "16", .min = 1, .max = 65536, .help = "codes K of a level"},
    {0},
};

static void *create(const struct frs_values *values) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->levels = (uint32_t)frs_values_int(values, "levels");
    settings->codes = (uint32_t)frs_values_int(values, "codes");
    return settings;
}

static struct frs_budgets budgets(const void *context, const struct frs_part *shape) {
    (void)shape;
    return (struct frs_budgets){
        .min = 1, .max = ((const struct settings *)context)->levels, .unit = "levels"};
}

static size_t id_bytes(size_t n, size_t codes) {
    return (n * frs_bits_for(codes) + 7) / 8;
}

/* The size of all levels, each with as many codes as it may have. */
static size_t coded_bytes(size_t n, size_t dim, size_t levels, size_t codes) {
    return levels * (4 + id_bytes(n, codes) + 4 * codes * dim);
}

static size_t raw_bytes(size_t n, size_t dim) {
    return 4 * n * dim;
}

/* As if every row had changed. */
static size_t predicted_bytes(const void *context, const struct frs_part *shape, uint32_t budget) {
    size_t codes = ((const struct settings *)context)->codes, n = shape->n_rows;
    size_t raw = raw_bytes(n, shape->dim), coded = coded_bytes(n, shape->dim, budget, codes);
    return frs_row_set_length(n, n) + 1 + (raw <= coded ? raw : coded);
}

static bool is_zero(const float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (values[i] != 0)
            return false;
    return true;
}

/* rest −= the row's code. */
static void take_codes(float *rest, const struct frs_groups *groups, size_t n, size_t dim) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < dim; k++)
            rest[i * dim + k] -= groups->centres[groups->group[i] * dim + k];
}

static size_t encode(const void *context, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    const struct settings *settings = context;
    size_t dim = rows->dim, levels = how->budget ? how->budget : settings->levels, sent = 0, nominal = 0;
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    float *rest = frs_touched_changes(rows, &touched, how->base, how->arena);
    size_t n = touched.n;
    frs_row_set_put(out, touched.ids, n, rows->n_rows);
    size_t head = out->n;
    frs_buffer_put_u8(out, 0);
    if (raw_bytes(n, dim) <= coded_bytes(n, dim, levels, settings->codes)) {
        frs_buffer_put_floats(out, rest, n * dim);
        return raw_bytes(n, dim);
    }
    while (sent < levels && (sent == 0 || !is_zero(rest, n * dim))) {
        struct frs_groups groups = frs_kmeans(rest, n, dim, settings->codes, how->rng, how->arena);
        frs_buffer_put_u32(out, (uint32_t)groups.n_groups);
        frs_bits_put(out, groups.group, n, frs_bits_for(groups.n_groups));
        frs_buffer_put_floats(out, groups.centres, groups.n_groups * dim);
        take_codes(rest, &groups, n, dim);
        frs_encoding_spent(how, groups.flop + (double)(n * dim));
        nominal += id_bytes(n, groups.n_groups) + groups.n_groups * dim * sizeof *rest;
        sent++;
    }
    out->bytes[head] = (uint8_t)sent;
    return nominal;
}

/* Every code has a row, or it would be sent for nothing. Adds the codes of a level to the rows. */
static bool take_level(struct frs_reader *in, size_t n, size_t dim, struct frs_arena *arena, float *values) {
    size_t codes = frs_reader_u32(in), n_used = 0;
    if (in->failed || codes < 1 || codes > n)
        return false;
    uint32_t *ids = frs_arena_take(arena, n, sizeof *ids);
    float *centres = frs_arena_take(arena, codes * dim, sizeof *centres);
    uint8_t *used = frs_arena_take_zeroed(arena, codes, 1);
    if (!frs_bits_take(in, ids, n, frs_bits_for(codes)))
        return false;
    frs_reader_floats(in, centres, codes * dim);
    for (size_t i = 0; i < n; i++) {
        if (ids[i] >= codes)
            return false;
        n_used += !used[ids[i]];
        used[ids[i]] = 1;
        for (size_t k = 0; k < dim; k++)
            values[i * dim + k] += centres[ids[i] * dim + k];
    }
    return !in->failed && n_used == codes;
}

static bool decode(const void *context, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)context;
    const uint32_t *ids;
    size_t n;
    if (!frs_row_set_take(in, n_rows, arena, &ids, &n))
        return false;
    size_t levels = frs_reader_u8(in);
    if (in->failed || levels > MAX_LEVELS)
        return false;
    float *values = frs_arena_take_zeroed(arena, n * dim, sizeof *values);
    if (levels == 0)
        frs_reader_floats(in, values, n * dim);
    for (size_t level = 0; level < levels; level++)
        if (!take_level(in, n, dim, arena, values))
            return false;
    frs_add_base(values, ids, n, dim, base);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return !in->failed;
}

const struct frs_codec frs_codec_rvq = {
    .plugin = {.name = "rvq",
        .summary = "residual quantisation: a row is a sum of codes, one of each level",
        .source = "Juang & Gray 1982, multiple stage vector quantisation; Chen et al. 2010",
        .params = params},
    .reveals_rows = true,
    .create = create,
    .budgets = budgets,
    .predicted_bytes = predicted_bytes,
    .encode = encode,
    .decode = decode,
};
