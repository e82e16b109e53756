/* Products of one vector with many rows: what a linear model's scores are. */
#ifndef FRS_ALGORITHMS_PRODUCTS_H
#define FRS_ALGORITHMS_PRODUCTS_H

#include <stddef.h>
#include <stdint.h>

/* out[i] = start + Σ_k p[k] rows[i][k], k < dim. */
void frs_products(const float *p, size_t dim, const float *const *rows, size_t n, float start, float *out);

/* The same for the rows `items` of a table [* × dim]. */
void frs_table_products(
    const float *p, size_t dim, const float *table, const uint32_t *items, size_t n, float start, float *out);

#endif
