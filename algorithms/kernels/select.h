/* Keeping the largest of many values. */
#ifndef FRS_ALGORITHMS_SELECT_H
#define FRS_ALGORITHMS_SELECT_H

#include <stddef.h>

/* Sets all of values[0 … n) to 0 except the k of largest magnitude; of equal ones the first are kept. No
 * value is NaN; `scratch` has room for 2 · n + 3. Returns the operations: 4 for each value, and one for
 * every comparison of the search. */
double frs_keep_largest(float *values, size_t n, size_t k, float *scratch);

/* The same of every row of values [n_rows × dim], each by itself; `scratch` has room for 2 · dim + 3. */
double frs_keep_largest_of_rows(float *values, size_t n_rows, size_t dim, size_t k, float *scratch);

#endif
