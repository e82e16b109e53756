#include "algorithms/kernels/algebra/ridge.h"
#include "algorithms/kernels/lanes.h"

#include <math.h>
#include <string.h>

/* Sums of products are formed in tiles of TALL × WIDE numbers. These stay in registers over the rows of a
 * block, and are added to the double sums after each block. */
#define TALL 4u
#define WIDE 16u
#define BLOCK 64u

/* Rows with their target as one more column, widened by zeros to a multiple of WIDE. */
static float *widen(
    const float *rows, const float *targets, size_t n, size_t dim, size_t width, struct frs_arena *arena) {
    float *wide = frs_arena_take_zeroed(arena, n * width, sizeof *wide);
    for (size_t i = 0; i < n; i++) {
        memcpy(wide + i * width, rows + i * dim, dim * sizeof *wide);
        wide[i * width + dim] = targets[i];
    }
    return wide;
}

static void add_tile(
    const float *restrict rows, size_t n, size_t width, size_t a, size_t b, double *restrict sums) {
    frs_lanes tile[TALL][WIDE / FRS_WIDTH] = {{{0}}};
    for (size_t i = 0; i < n; i++) {
        const float *row = rows + i * width;
        for (size_t j = 0; j < TALL; j++)
            for (size_t k = 0; k < WIDE / FRS_WIDTH; k++)
                tile[j][k] += row[a + j] * frs_lanes_of(row + b)[k];
    }
    for (size_t j = 0; j < TALL; j++)
        for (size_t k = 0; k < WIDE; k++)
            sums[(a + j) * width + b + k] += (double)tile[j][k / FRS_WIDTH][k % FRS_WIDTH];
}

/* The upper triangle of Σ row rowᵀ, [width × width]; tiles below the diagonal stay zero. */
static double *products(const float *rows, size_t n, size_t width, struct frs_arena *arena) {
    double *sums = frs_arena_take_zeroed(arena, width * width, sizeof *sums);
    for (size_t i = 0; i < n; i += BLOCK)
        for (size_t a = 0; a < width; a += TALL)
            for (size_t b = a / WIDE * WIDE; b < width; b += WIDE)
                add_tile(rows + i * width, n - i < BLOCK ? n - i : BLOCK, width, a, b, sums);
    return sums;
}

/* In place: the upper triangle becomes R with Rᵀ R = matrix, but for the diagonal, which holds 1/R_aa. */
static void factorise(double *matrix, size_t dim, size_t width) {
    for (size_t a = 0; a < dim; a++) {
        double *row = matrix + a * width, inverse = 1 / sqrt(row[a]);
        row[a] = inverse;
        for (size_t b = a + 1; b < dim; b++)
            row[b] *= inverse;
        for (size_t c = a + 1; c < dim; c++) {
            double *below = matrix + c * width, factor = row[c];
            for (size_t b = c; b < dim; b++)
                below[b] -= factor * row[b];
        }
    }
}

static void solve(const double *factor, double *x, size_t dim, size_t width) {
    for (size_t a = 0; a < dim; a++) {
        x[a] *= factor[a * width + a];
        for (size_t b = a + 1; b < dim; b++)
            x[b] -= factor[a * width + b] * x[a];
    }
    for (size_t a = dim; a-- > 0;) {
        for (size_t b = a + 1; b < dim; b++)
            x[a] -= factor[a * width + b] * x[b];
        x[a] *= factor[a * width + a];
    }
}

FRS_KERNEL(double, frs_ridge,
    (const float *rows, const float *targets, size_t n, size_t dim, double lambda, struct frs_arena *arena,
        float *u)) {
    size_t width = (dim + 1 + WIDE - 1) / WIDE * WIDE;
    if (n == 0) {
        memset(u, 0, dim * sizeof *u);
        return 0;
    }
    double *matrix = products(widen(rows, targets, n, dim, width, arena), n, width, arena);
    double *x = frs_arena_take(arena, dim, sizeof *x);
    for (size_t k = 0; k < dim; k++) {
        x[k] = matrix[k * width + dim];
        matrix[k * width + k] += lambda;
    }
    factorise(matrix, dim, width);
    solve(matrix, x, dim, width);
    for (size_t k = 0; k < dim; k++)
        u[k] = (float)x[k];
    double d = (double)dim;
    return (double)n * d * (d + 3) + d * d * d / 3 + 2 * d * d;
}
