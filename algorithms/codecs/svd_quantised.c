/* SVD with quantised factors, as JointRec compresses uploads: ΔQ ≈ U V, both factors in 8 or 4 bits an entry.
 *
 *   row set · r u32 · r columns of U, n entries each · r rows of V, dim entries each     r = min(rank, n,
 * dim)
 *
 * each as quantised_row.h has it: a column of U carries the scale of its singular value. The two factors are
 * rounded independently, so that under stochastic rounding their product is U V on average.
 * Nominal: bits/8 · r · m, one factor, as svd counts. */
#include "algorithms/codec.h"
#include "algorithms/codecs/quantised_row.h"
#include "algorithms/codecs/row_set.h"
#include "algorithms/kernels/low_rank_fit.h"
#include "sim/base/memory.h"

struct settings {
    uint32_t rank;
    struct frs_quantisation quantisation;
};

static const struct frs_param params[] = {
    {.key = "rank", .type = FRS_INT, .initial = "4", .min = 1, .max = 4096, .help = "rank r"},
    FRS_QUANTISATION_PARAMS, {0}};

static void *create(const struct frs_values *values) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->rank = (uint32_t)frs_values_int(values, "rank");
    settings->quantisation = frs_quantisation_of(values);
    return settings;
}

static struct frs_budgets budgets(const void *context, const struct frs_part *shape) {
    const struct settings *settings = context;
    uint32_t most = settings->rank < shape->dim ? settings->rank : (uint32_t)shape->dim;
    return (struct frs_budgets){.min = 1, .max = most, .unit = "ranks"};
}

static size_t row_bytes(const struct settings *settings, size_t n) {
    return 4 + (n * settings->quantisation.bits + 7) / 8;
}

/* As if every row had changed. */
static size_t foreseen_bytes(const void *context, const struct frs_part *shape, uint32_t budget) {
    const struct settings *settings = context;
    return 9 + (shape->n_rows + 7) / 8 +
           budget * (row_bytes(settings, shape->n_rows) + row_bytes(settings, shape->dim));
}

static size_t smallest(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

static void put_factors(const struct settings *settings, const float *u, const float *v, size_t n, size_t dim,
    size_t rank, const struct frs_encoding *how, struct frs_buffer *out) {
    float *column = frs_arena_take(how->arena, n, sizeof *column);
    uint32_t *integers = frs_arena_take(how->arena, n > dim ? n : dim, sizeof *integers);
    for (size_t r = 0; r < rank; r++) {
        for (size_t i = 0; i < n; i++)
            column[i] = u[i * rank + r];
        frs_quantised_row_put(out, &settings->quantisation, column, n, how->rng, integers);
    }
    for (size_t r = 0; r < rank; r++)
        frs_quantised_row_put(out, &settings->quantisation, v + r * dim, dim, how->rng, integers);
}

static size_t encode(const void *context, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    const struct settings *settings = context;
    size_t dim = rows->dim, most = how->budget ? how->budget : settings->rank;
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    float *values = frs_touched_changes(rows, &touched, how->base, how->arena);
    size_t n = touched.n, rank = smallest(most, n, dim);
    frs_row_set_put(out, touched.ids, n, rows->n_rows);
    frs_buffer_put_u32(out, (uint32_t)rank);
    if (rank > 0) {
        float *u = frs_arena_take(how->arena, n * rank, sizeof *u);
        float *v = frs_arena_take(how->arena, rank * dim, sizeof *v);
        frs_encoding_spent(how, frs_low_rank_fit(values, n, dim, rank, how->arena, u, v));
        frs_encoding_spent(how, frs_quantised_flop(&settings->quantisation, rank * (n + dim)));
        put_factors(settings, u, v, n, dim, rank, how, out);
    }
    return rows->n_rows * (most < dim ? most : dim) * settings->quantisation.bits / 8;
}

static bool decode(const void *context, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    const struct settings *settings = context;
    const uint32_t *ids;
    size_t n;
    if (!frs_row_set_take(in, n_rows, arena, &ids, &n))
        return false;
    size_t rank = frs_reader_u32(in);
    if (in->failed || rank > n || rank > dim || (n > 0 && rank == 0))
        return false;
    float *values = frs_arena_take_zeroed(arena, n * dim, sizeof *values);
    float *u = frs_arena_take(arena, rank * n, sizeof *u), *v = frs_arena_take(arena, rank * dim, sizeof *v);
    uint32_t *integers = frs_arena_take(arena, n > dim ? n : dim, sizeof *integers);
    for (size_t r = 0; r < rank; r++)
        if (!frs_quantised_row_take(in, &settings->quantisation, u + r * n, n, integers))
            return false;
    for (size_t r = 0; r < rank; r++)
        if (!frs_quantised_row_take(in, &settings->quantisation, v + r * dim, dim, integers))
            return false;
    for (size_t r = 0; r < rank; r++)
        for (size_t i = 0; i < n; i++)
            for (size_t d = 0; d < dim; d++)
                values[i * dim + d] += u[r * n + i] * v[r * dim + d];
    frs_add_base(values, ids, n, dim, base);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    return !in->failed;
}

const struct frs_codec frs_codec_svd_quantised = {
    .plugin = {.name = "svd_quantised",
        .summary =
            "what changed, approximated by a matrix of low rank whose factors have 8 or 4 bits an entry",
        .source = "JointRec (as Lu et al. 2025, section 2, describe it); Alistarh et al. 2017 (QSGD)",
        .params = params},
    .reveals_rows = true,
    .create = create,
    .budgets = budgets,
    .foreseen_bytes = foreseen_bytes,
    .encode = encode,
    .decode = decode,
};
