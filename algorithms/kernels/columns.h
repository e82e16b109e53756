/* Local tables stored dimension-major: element i of dimension k at [k · stride + i], the stride whole lanes.
 */
#ifndef FRS_ALGORITHMS_COLUMNS_H
#define FRS_ALGORITHMS_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#define FRS_LANES 16u

/* n rounded up to whole lanes. */
static inline size_t frs_lanes_pad(size_t n) {
    return (n + FRS_LANES - 1) / FRS_LANES * FRS_LANES;
}

/* Gathers rows `ids` into [n_rows × pitch]. */
void frs_rows_gather(const float *table, size_t dim, const uint32_t *ids, size_t n_rows, float *rows);

/* to = factor · from, n values. */
void frs_values_scale(float *restrict to, const float *restrict from, float factor, size_t n);

/* Returns Σ a[k] b[k] over `pitch` values, which are whole lanes: lane by lane, then over the lanes. */
float frs_lanes_product(const float *a, const float *b, size_t pitch);

/* Rows [n_rows × dim] out of [dim × stride]. */
void frs_columns_scatter(const float *columns, size_t dim, size_t n_rows, size_t stride, float *rows);

#endif
