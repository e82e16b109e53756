#include "algorithms/kernels/columns.h"
#include "sim/base/numbers/levels.h"

#include <string.h>

/* Rows lie anywhere in their table: they are asked for before they are needed. */
#define ROWS_AHEAD 8u

FRS_CLONES void frs_rows_gather(
    const float *table, size_t dim, const uint32_t *ids, size_t n_rows, float *rows) {
    size_t pitch = frs_lanes_pad(dim);
    for (size_t i = 0; i < n_rows; i++) {
        const float *from = table + ids[i] * dim;
        float *to = rows + i * pitch;
        size_t k = 0;
        for (size_t j = 0; i + ROWS_AHEAD < n_rows && j < dim; j += FRS_LANES)
            __builtin_prefetch(table + ids[i + ROWS_AHEAD] * dim + j);
        for (; k + FRS_LANES <= dim; k += FRS_LANES)
            memcpy(to + k, from + k, FRS_LANES * sizeof *to);
        for (; k < pitch; k++)
            to[k] = k < dim ? from[k] : 0;
    }
}

FRS_CLONES void frs_values_scale(float *restrict to, const float *restrict from, float factor, size_t n) {
    for (size_t i = 0; i < n; i++)
        to[i] = factor * from[i];
}

FRS_CLONES float frs_lanes_product(const float *a, const float *b, size_t pitch) {
    float sums[FRS_LANES] = {0}, sum = 0;
    for (size_t k = 0; k < pitch; k += FRS_LANES)
        for (size_t j = 0; j < FRS_LANES; j++)
            sums[j] += a[k + j] * b[k + j];
    for (size_t j = 0; j < FRS_LANES; j++)
        sum += sums[j];
    return sum;
}

void frs_columns_scatter(const float *columns, size_t dim, size_t n_rows, size_t stride, float *rows) {
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; k < dim; k++)
            rows[i * dim + k] = columns[k * stride + i];
}
