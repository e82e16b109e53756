#include "algorithms/codecs/factors.h"

#include "algorithms/codecs/row_set.h"
#include "algorithms/kernels/algebra/low_rank_fit.h"

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

struct frs_budgets frs_factors_budgets(uint32_t rank, const struct frs_part *shape) {
    return (struct frs_budgets){.min = 1, .max = (uint32_t)smaller(rank, shape->dim), .unit = "ranks"};
}

size_t frs_factors_predicted_head_bytes(const struct frs_part *shape) {
    return 9 + (shape->n_rows + 7) / 8;
}

size_t frs_factors_nominal_values(const struct frs_rows *rows, uint32_t rank) {
    return rows->n_rows * smaller(rank, rows->dim);
}

static void take_memory(struct frs_factors *factors, struct frs_arena *arena) {
    factors->u = frs_arena_take(arena, factors->n * factors->rank, sizeof *factors->u);
    factors->v = frs_arena_take(arena, factors->rank * factors->dim, sizeof *factors->v);
}

struct frs_factors frs_factors_put_head(
    const struct frs_rows *rows, uint32_t rank, const struct frs_encoding *how, struct frs_buffer *out) {
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    const float *changes = frs_touched_changes(rows, &touched, how->base, how->arena);
    struct frs_factors factors = {.n_rows = rows->n_rows,
        .n = touched.n,
        .dim = rows->dim,
        .rank = smaller(rank, smaller(touched.n, rows->dim)),
        .ids = touched.ids};
    take_memory(&factors, how->arena);
    if (factors.rank > 0)
        frs_encoding_spent(how, frs_low_rank_fit(changes, factors.n, factors.dim, factors.rank, how->arena,
                                    factors.u, factors.v));
    frs_row_set_put(out, factors.ids, factors.n, factors.n_rows);
    frs_buffer_put_u32(out, (uint32_t)factors.rank);
    return factors;
}

bool frs_factors_take_head(
    struct frs_reader *in, size_t n_rows, size_t dim, struct frs_arena *arena, struct frs_factors *factors) {
    *factors = (struct frs_factors){.n_rows = n_rows, .dim = dim};
    if (!frs_row_set_take(in, n_rows, arena, &factors->ids, &factors->n))
        return false;
    factors->rank = frs_reader_u32(in);
    if (in->failed || factors->rank > smaller(factors->n, dim) || (factors->n > 0 && factors->rank == 0))
        return false;
    take_memory(factors, arena);
    return true;
}

struct frs_rows frs_factors_rows(
    const struct frs_factors *factors, const float *base, struct frs_arena *arena) {
    size_t n = factors->n, dim = factors->dim;
    float *values = frs_arena_take_zeroed(arena, n * dim, sizeof *values);
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < factors->rank; r++)
            for (size_t d = 0; d < dim; d++)
                values[i * dim + d] += factors->u[i * factors->rank + r] * factors->v[r * dim + d];
    frs_add_base(values, factors->ids, n, dim, base);
    return (struct frs_rows){
        .n_rows = factors->n_rows, .dim = dim, .n = n, .ids = factors->ids, .values = values};
}
