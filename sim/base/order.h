/* Orders of numbers for qsort and bsearch: ascending, or descending where the name ends in `_down`. A NaN
 * counts as equal to every number, so values that contain one cannot be sorted. */
#ifndef FRS_BASE_ORDER_H
#define FRS_BASE_ORDER_H

#include <stddef.h>
#include <stdint.h>

static inline int frs_compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline int frs_compare_doubles_down(const void *a, const void *b) {
    return frs_compare_doubles(b, a);
}

static inline int frs_compare_uint32s(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline int frs_compare_sizes(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

#endif
