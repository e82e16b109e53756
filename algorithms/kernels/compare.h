/* Which rows of a table differ from another one, bit for bit; and whether all its values are numbers. */
#ifndef FRS_ALGORITHMS_COMPARE_H
#define FRS_ALGORITHMS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds which of `rows` [n × dim], which need not be aligned, differ from the rows ids[i] (NULL: i) of
 * `base`, or from all-zero bits when `base` is NULL. Their places go to at[] (room for n), ascending.
 * Returns how many. dim ≥ 1. */
size_t frs_rows_changed(
    const uint8_t *rows, const uint32_t *ids, size_t n, size_t dim, const float *base, uint32_t *at);

/* out [n × dim]: row i is the row at[i] of `rows` minus the row ids[i] of `base` (NULL: zero), and 0 where
 * that is not finite. */
void frs_rows_difference(const float *rows, const uint32_t *at, const float *base, const uint32_t *ids,
    size_t n, size_t dim, float *out);

/* The places of what is neither 0 nor −0, ascending; `places` has room for n + 1. Returns how many. */
size_t frs_places_of_nonzero(const float *values, size_t n, uint32_t *places);

bool frs_all_finite(const float *values, size_t n);

#endif
