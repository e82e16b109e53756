/* Lanes: sixteen floats side by side, for kernels only. What is read as lanes is aligned to 64 bytes.
 * Compiled for every processor level (FRS_CLONES), so results agree between levels but for the contraction of
 * a multiplication and an addition. */
#ifndef FRS_ALGORITHMS_LANES_H
#define FRS_ALGORITHMS_LANES_H

#include "algorithms/kernels/columns.h"
#include "sim/base/clones.h"

typedef float frs_lanes __attribute__((vector_size(64), may_alias));
typedef int32_t frs_lanes_bits __attribute__((vector_size(64), may_alias));

FRS_INLINE frs_lanes *frs_lanes_at(float *values) {
    return (frs_lanes *)(void *)values;
}

FRS_INLINE const frs_lanes *frs_lanes_of(const float *values) {
    return (const frs_lanes *)(const void *)values;
}

/* The sum of all lanes, halves first. */
FRS_INLINE float frs_lanes_sum(frs_lanes x) {
    typedef float eight __attribute__((vector_size(32)));
    typedef float four __attribute__((vector_size(16)));
    eight a = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) +
              __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
    four b = __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
    b += __builtin_shufflevector(b, b, 2, 3, 0, 1);
    return b[0] + b[1];
}

/* All bits set where x < bound; neither is negative or NaN. (Subtracting the bits is what compiles well.) */
FRS_INLINE frs_lanes_bits frs_lanes_below(frs_lanes x, frs_lanes bound) {
    return ((frs_lanes_bits)x - (frs_lanes_bits)bound) >> 31;
}

/* 1/√x to a relative error of 8e-7 for normal x > 0: a first guess from the exponent and two Newton steps
 * with the constants of Walczyk, Moroz & Cieśliński (Entropy 2021), which halve the bits that are missing
 * better than Newton's own. */
FRS_INLINE frs_lanes frs_lanes_rsqrt(frs_lanes x) {
    frs_lanes y = (frs_lanes)(0x5f376908 - ((frs_lanes_bits)x >> 1)), half = 0.5f * x;
    y = y * (1.50087896f - half * y * y);
    return y * (1.50000057f - half * y * y);
}

#endif
