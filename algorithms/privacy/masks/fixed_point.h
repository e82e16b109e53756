/* Fixed point: values as whole numbers whose sum over a cohort is exact.
 *
 * A value x of [−range, range] becomes middle + round(x / step), a number of 0 … 2·middle, with 2·middle + 1
 * < R = 2^value_bits and step = range / middle, so that zero is exact. The sum over n clients needs ⌈log2(n(R
 * − 1) + 1)⌉ bits, which is what a masked value has on the wire: numbers are added modulo that power of two,
 * and never reach it.
 *
 * Source: Bonawitz et al. 2017, section 7 (values of R in vectors, sums of n(R − 1) + 1). */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_FIXED_POINT_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_FIXED_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_fixed_point {
    double range, step;
    uint32_t middle;    /* the number that stands for 0 */
    uint32_t most;      /* the largest number that any value can become, R − 1 */
    unsigned sum_bits;  /* of a number on the wire */
    uint32_t n_clients; /* at most, in a sum */
};

/* range > 0, value_bits from 2 to 24. False where the sum of so many clients needs more than 32 bits. */
bool frs_fixed_point_init(
    struct frs_fixed_point *fixed, double range, unsigned value_bits, uint32_t n_clients);

/* numbers[i] of values[i], finite. Returns how many values were outside of the range and were moved to its
 * nearest end. */
size_t frs_fixed_point_encode(
    const struct frs_fixed_point *fixed, const float *values, size_t n, uint32_t *numbers);

/* Converts sums of the numbers of this many clients to sums of their values. Returns false where a sum is
 * larger than it can be. */
bool frs_fixed_point_decode(
    const struct frs_fixed_point *fixed, const uint32_t *sums, size_t n, uint32_t n_clients, double *values);

#endif
