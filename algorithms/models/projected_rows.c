#include "algorithms/models/projected_rows.h"
#include "sim/base/memory.h"

#include <math.h>

/* The lower triangle of BᵀB becomes its Cholesky factor. */
static void factorise(double *gram, size_t rank) {
    for (size_t j = 0; j < rank; j++)
        for (size_t i = j; i < rank; i++) {
            double sum = gram[i * rank + j];
            for (size_t k = 0; k < j; k++)
                sum -= gram[i * rank + k] * gram[j * rank + k];
            gram[i * rank + j] = i == j ? sqrt(sum) : sum / gram[j * rank + j];
        }
}

/* Solves L Lᵀ x = b in place; the entries of b are `step` apart. */
static void solve(const double *factor, size_t rank, double *b, size_t step) {
    for (size_t i = 0; i < rank; i++) {
        for (size_t k = 0; k < i; k++)
            b[i * step] -= factor[i * rank + k] * b[k * step];
        b[i * step] /= factor[i * rank + i];
    }
    for (size_t i = rank; i-- > 0;) {
        for (size_t k = i + 1; k < rank; k++)
            b[i * step] -= factor[k * rank + i] * b[k * step];
        b[i * step] /= factor[i * rank + i];
    }
}

const double *frs_projected_rows_open(
    const struct frs_projection *projection, uint64_t seed, struct frs_arena *arena) {
    size_t dim = projection->dim, rank = projection->rank;
    const float *b = frs_projection_of(projection, seed, arena);
    double *gram = frs_arena_take_zeroed(arena, rank * rank, sizeof *gram),
           *opened = frs_arena_take(arena, rank * dim, sizeof *opened);
    for (size_t k = 0; k < dim; k++)
        for (size_t i = 0; i < rank; i++) {
            opened[i * dim + k] = (double)b[k * rank + i];
            for (size_t j = 0; j <= i; j++)
                gram[i * rank + j] += (double)b[k * rank + i] * (double)b[k * rank + j];
        }
    factorise(gram, rank);
    for (size_t k = 0; k < dim; k++)
        solve(gram, rank, opened + k, dim);
    return opened;
}

void frs_projected_rows_of(const struct frs_projection *projection, const double *opened, const float *rows,
    size_t n, float *coefficients) {
    size_t dim = projection->dim, rank = projection->rank;
    for (size_t row = 0; row < n; row++)
        for (size_t i = 0; i < rank; i++) {
            double sum = 0;
            for (size_t k = 0; k < dim; k++)
                sum += opened[i * dim + k] * (double)rows[row * dim + k];
            coefficients[row * rank + i] = (float)sum;
        }
}

void frs_projected_rows_mix(const struct frs_projection *projection, uint64_t seed,
    const float *const *coefficients, const double *weights, size_t n, size_t n_rows, float *table,
    struct frs_arena *arena) {
    size_t n_values = n_rows * projection->rank;
    float *difference = frs_arena_take(arena, n_values, sizeof *difference);
    for (size_t k = 0; k < n_values; k++) {
        double own = (double)coefficients[0][k], sum = 0;
        for (size_t j = 1; j < n; j++)
            sum += weights[j] * ((double)coefficients[j][k] - own);
        difference[k] = (float)sum;
    }
    const struct frs_rows rows = {
        .n_rows = n_rows, .dim = projection->rank, .n = n_rows, .values = difference};
    frs_projection_apply(projection, seed, &rows, table, arena);
}

double frs_projected_rows_tell_flop(const struct frs_projection *projection, size_t n_rows) {
    double rank = (double)projection->rank, dim = (double)projection->dim;
    return 2 * rank * rank * dim + rank * rank * rank + 2 * rank * dim * (double)n_rows;
}

double frs_projected_rows_mix_flop(const struct frs_projection *projection, size_t n_rows, size_t n) {
    return 3 * (double)projection->rank * (double)n_rows * ((double)n - 1) +
           frs_projection_apply_flop(projection, n_rows);
}
