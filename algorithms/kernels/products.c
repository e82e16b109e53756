#include "algorithms/kernels/products.h"
#include "algorithms/kernels/lanes.h"

#include <string.h>

/* As many rows as a register has lanes go side by side; `dim` is a constant where it matters. */
FRS_INLINE void multiply_by(
    const float *p, const size_t dim, const float *const rows[FRS_WIDTH], float start, float *out) {
    const size_t whole = dim / FRS_WIDTH * FRS_WIDTH;
    frs_lanes sums[FRS_WIDTH];
#pragma GCC unroll 16
    for (size_t j = 0; j < FRS_WIDTH; j++) {
        frs_lanes sum = {0};
#pragma GCC unroll 4
        for (size_t k = 0; k < whole; k += FRS_WIDTH)
            sum += frs_lanes_loose(p + k) * frs_lanes_loose(rows[j] + k);
        sums[j] = sum;
    }
    frs_lanes sum = start + frs_lanes_sums(sums);
    for (size_t j = 0; j < FRS_WIDTH; j++)
        for (size_t k = whole; k < dim; k++)
            sum[j] += p[k] * rows[j][k];
    memcpy(out, &sum, sizeof sum);
}

FRS_INLINE void multiply(
    const float *p, size_t dim, const float *const rows[FRS_WIDTH], float start, float *out) {
    if (dim == 16)
        multiply_by(p, 16, rows, start, out);
    else if (dim == 32)
        multiply_by(p, 32, rows, start, out);
    else
        multiply_by(p, dim, rows, start, out);
}

/* The last rows, fewer than a register has lanes: the last of them is repeated. */
FRS_INLINE void multiply_rest(
    const float *p, size_t dim, const float *rows[FRS_WIDTH], size_t n, float start, float *out) {
    float rest[FRS_WIDTH];
    for (size_t j = n; j < FRS_WIDTH; j++)
        rows[j] = rows[n - 1];
    multiply(p, dim, rows, start, rest);
    memcpy(out, rest, n * sizeof *out);
}

FRS_KERNEL(void, frs_products,
    (const float *p, size_t dim, const float *const *rows, size_t n, float start, float *out)) {
    size_t i = 0;
    for (; i + FRS_WIDTH <= n; i += FRS_WIDTH)
        multiply(p, dim, rows + i, start, out + i);
    if (i < n) {
        const float *rest[FRS_WIDTH];
        memcpy(rest, rows + i, (n - i) * sizeof *rest);
        multiply_rest(p, dim, rest, n - i, start, out + i);
    }
}

FRS_KERNEL(void, frs_table_products,
    (const float *p, size_t dim, const float *table, const uint32_t *items, size_t n, float start,
        float *out)) {
    const float *rows[FRS_WIDTH];
    for (size_t i = 0; i < n; i += FRS_WIDTH) {
        size_t count = n - i < FRS_WIDTH ? n - i : FRS_WIDTH;
        for (size_t j = 0; j < count; j++)
            rows[j] = table + items[i + j] * dim;
        if (count == FRS_WIDTH)
            multiply(p, dim, rows, start, out + i);
        else
            multiply_rest(p, dim, rows, count, start, out + i);
    }
}
