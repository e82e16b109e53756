/* Lanes: sixteen floats side by side, for kernels only. What is read as lanes is aligned to 64 bytes.
 * Compiled for every processor level (FRS_CLONES), so results agree between levels but for the contraction of
 * a multiplication and an addition. */
#ifndef FRS_ALGORITHMS_LANES_H
#define FRS_ALGORITHMS_LANES_H

#include "algorithms/kernels/columns.h"
#include "sim/base/numbers/clones.h"

#include <stdint.h>

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

/* Lane j is the sum of all lanes of rows[j], halves first, as frs_lanes_sum; the rows are overwritten. */
FRS_INLINE frs_lanes frs_lanes_sums(frs_lanes rows[FRS_LANES]) {
    for (size_t i = 0; i < 8; i++) {
        frs_lanes a = rows[i], b = rows[i + 8];
        rows[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
                  __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    }
    for (size_t i = 0; i < 4; i++) {
        frs_lanes a = rows[i], b = rows[i + 4];
        rows[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27) +
                  __builtin_shufflevector(a, b, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
    }
    for (size_t i = 0; i < 2; i++) {
        frs_lanes a = rows[i], b = rows[i + 2];
        rows[i] = __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29) +
                  __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    }
    frs_lanes a = rows[0], b = rows[1];
    return __builtin_shufflevector(a, b, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30) +
           __builtin_shufflevector(a, b, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
}

/* All bits set where x < bound; neither is negative or NaN. (Subtracting the bits is what compiles well.) */
FRS_INLINE frs_lanes_bits frs_lanes_below(frs_lanes x, frs_lanes bound) {
    return ((frs_lanes_bits)x - (frs_lanes_bits)bound) >> 31;
}

/* All bits that are set in any lane. */
FRS_INLINE uint32_t frs_lanes_or(frs_lanes_bits x) {
    typedef int32_t eight __attribute__((vector_size(32)));
    typedef int32_t four __attribute__((vector_size(16)));
    eight a = __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7) |
              __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
    four b = __builtin_shufflevector(a, a, 0, 1, 2, 3) | __builtin_shufflevector(a, a, 4, 5, 6, 7);
    b |= __builtin_shufflevector(b, b, 2, 3, 0, 1);
    return (uint32_t)(b[0] | b[1]);
}

/* Bit j: whether lane j has a bit set. */
FRS_INLINE uint32_t frs_lanes_mask(frs_lanes_bits x) {
    const frs_lanes_bits places = {1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8, 1 << 9,
        1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    return frs_lanes_or(((x | -x) >> 31) & places);
}

/* 1/√x to a relative error of 8e-7 for normal x > 0: a first guess from the exponent and two Newton steps
 * with the constants of Walczyk, Moroz & Cieśliński (Entropy 2021), which halve the bits that are missing
 * better than Newton's own. */
FRS_INLINE frs_lanes frs_lanes_rsqrt(frs_lanes x) {
    frs_lanes y = (frs_lanes)(0x5f376908 - ((frs_lanes_bits)x >> 1)), half = 0.5f * x;
    y = y * (1.50087896f - half * y * y);
    return y * (1.50000057f - half * y * y);
}

/* 1/x to a few units of the last place for normal x > 0 below 1e38: a first guess from the exponent, right to 6 %,
 * and two of Halley's steps, which leave the third power of what is missing. */
FRS_INLINE frs_lanes frs_lanes_reciprocal(frs_lanes x) {
    frs_lanes y = (frs_lanes)(0x7ef311c3 - (frs_lanes_bits)x), e = 1 - x * y;
    y += y * (e + e * e);
    e = 1 - x * y;
    return y + y * (e + e * e);
}

#endif
