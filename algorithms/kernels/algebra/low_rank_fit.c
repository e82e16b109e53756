#include "algorithms/kernels/algebra/low_rank_fit.h"
#include "algorithms/kernels/algebra/library.h"
#include "sim/base/errors.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>

/* The eigenvectors [rank × n] of the largest eigenvalues of a symmetric matrix [n × n], which is lost. */
static void leading_eigenvectors(
    double *matrix, size_t n, size_t rank, struct frs_arena *arena, double *vectors) {
    double *values = frs_arena_take(arena, n, sizeof *values);
    lapack_int *support = frs_arena_take(arena, 2 * rank, sizeof *support), found = 0, size = (lapack_int)n;
    int failed = LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'U', size, matrix, size, 0, 0,
        size - (lapack_int)rank + 1, size, 0, &found, values, vectors, size, support);
    frs_library_check_memory(failed);
    FRS_INVARIANT(
        !failed && (size_t)found == rank, "eigenvectors of a %zu by %zu matrix failed: %d", n, n, failed);
}

static void normalise(double *row, size_t n) {
    double squared = 0;
    for (size_t i = 0; i < n; i++)
        squared += row[i] * row[i];
    for (size_t i = 0; squared > 0 && i < n; i++)
        row[i] /= sqrt(squared);
}

/* Rows of V are the eigenvectors of AᵀA. If AAᵀ is smaller, they are Aᵀ times its eigenvectors, which is
 * the same after normalising. */
static void right_vectors(
    const double *a, size_t n, size_t dim, size_t rank, struct frs_arena *arena, double *vectors) {
    size_t side = n < dim ? n : dim;
    double *gram = frs_arena_take_zeroed(arena, side * side, sizeof *gram);
    /* Row-major A is Aᵀ to a column-major reader. */
    cblas_dsyrk(CblasColMajor, CblasUpper, n < dim ? CblasTrans : CblasNoTrans, (int)side,
        (int)(n < dim ? dim : n), 1, a, (int)dim, 0, gram, (int)side);
    if (n >= dim) {
        leading_eigenvectors(gram, side, rank, arena, vectors);
        return;
    }
    double *left = frs_arena_take(arena, rank * n, sizeof *left);
    leading_eigenvectors(gram, side, rank, arena, left);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rank, (int)dim, (int)n, 1, left, (int)n, a,
        (int)dim, 0, vectors, (int)dim);
    for (size_t r = 0; r < rank; r++)
        normalise(vectors + r * dim, dim);
}

double frs_low_rank_fit(
    const float *a, size_t n, size_t dim, size_t rank, struct frs_arena *arena, float *u, float *v) {
    double *wide = frs_arena_take(arena, n * dim, sizeof *wide);
    double *vectors = frs_arena_take(arena, rank * dim, sizeof *vectors);
    double *scores = frs_arena_take(arena, n * rank, sizeof *scores);
    for (size_t i = 0; i < n * dim; i++)
        wide[i] = (double)a[i];
    frs_library_enter();
    right_vectors(wide, n, dim, rank, arena, vectors);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)n, (int)rank, (int)dim, 1, wide, (int)dim,
        vectors, (int)dim, 0, scores, (int)rank);
    for (size_t i = 0; i < n * rank; i++)
        u[i] = (float)scores[i];
    for (size_t i = 0; i < rank * dim; i++)
        v[i] = (float)vectors[i];
    double s = (double)(n < dim ? n : dim), l = (double)(n < dim ? dim : n);
    double product = 2.0 * (double)(n * rank * dim);
    return s * (s + 1) * l + 4.0 / 3 * s * s * s + 2 * s * s * (double)rank + (n < dim ? 2 : 1) * product;
}
