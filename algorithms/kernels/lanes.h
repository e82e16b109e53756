/* Lanes: floats side by side in one register, for kernels only. There are FRS_WIDTH lanes, as many as the
 * level has for which a kernel is compiled (levels.h); FRS_WIDTH divides FRS_LANES, to which rows are
 * padded. Data that are read as lanes are aligned to 64 bytes. */
#ifndef FRS_ALGORITHMS_LANES_H
#define FRS_ALGORITHMS_LANES_H

#include "algorithms/kernels/columns.h"
#include "sim/base/numbers/levels.h"

#ifdef __AVX__
#include <immintrin.h>
#endif
#include <stdint.h>

#if defined __AVX512F__
#define FRS_WIDTH 16u
#elif defined __AVX__
#define FRS_WIDTH 8u
#else
#define FRS_WIDTH 4u
#endif

typedef float frs_lanes __attribute__((vector_size(4 * FRS_WIDTH), may_alias));
typedef int32_t frs_lanes_bits __attribute__((vector_size(4 * FRS_WIDTH), may_alias));

FRS_INLINE frs_lanes *frs_lanes_at(float *values) {
    return (frs_lanes *)(void *)values;
}

FRS_INLINE const frs_lanes *frs_lanes_of(const float *values) {
    return (const frs_lanes *)(const void *)values;
}

/* From values that are aligned to a float alone. */
FRS_INLINE frs_lanes frs_lanes_loose(const float *values) {
    typedef float loose __attribute__((vector_size(4 * FRS_WIDTH), aligned(4), may_alias));
    return *(const loose *)(const void *)values;
}

/* Shuffles of two registers a and b: LOW_n combines the lower halves of every n lanes of a and b, HIGH_n
 * the upper halves. */
#if FRS_WIDTH == 16
#define LOW_16 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HIGH_16 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#define LOW_8 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define HIGH_8 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define LOW_4 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define HIGH_4 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define LOW_2 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30
#define HIGH_2 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31
#elif FRS_WIDTH == 8
#define LOW_8 0, 1, 2, 3, 8, 9, 10, 11
#define HIGH_8 4, 5, 6, 7, 12, 13, 14, 15
#define LOW_4 0, 1, 8, 9, 4, 5, 12, 13
#define HIGH_4 2, 3, 10, 11, 6, 7, 14, 15
#define LOW_2 0, 8, 2, 10, 4, 12, 6, 14
#define HIGH_2 1, 9, 3, 11, 5, 13, 7, 15
#else
#define LOW_4 0, 1, 4, 5
#define HIGH_4 2, 3, 6, 7
#define LOW_2 0, 4, 2, 6
#define HIGH_2 1, 5, 3, 7
#endif
#define SHUFFLED(list, a, b) __builtin_shufflevector(a, b, list)
#define HALVES_ADDED(n, a, b) (SHUFFLED(LOW_##n, a, b) + SHUFFLED(HIGH_##n, a, b))

/* Lane j is the sum of all lanes of rows[j], halves first; the rows are overwritten. */
FRS_INLINE frs_lanes frs_lanes_sums(frs_lanes rows[FRS_WIDTH]) {
#if FRS_WIDTH == 16
    for (size_t i = 0; i < 8; i++)
        rows[i] = HALVES_ADDED(16, rows[i], rows[i + 8]);
#endif
#if FRS_WIDTH >= 8
    for (size_t i = 0; i < 4; i++)
        rows[i] = HALVES_ADDED(8, rows[i], rows[i + 4]);
#endif
    for (size_t i = 0; i < 2; i++)
        rows[i] = HALVES_ADDED(4, rows[i], rows[i + 2]);
    return HALVES_ADDED(2, rows[0], rows[1]);
}

/* The sum of all lanes, halves first. */
FRS_INLINE float frs_lanes_sum(frs_lanes x) {
#if FRS_WIDTH == 16
    x = HALVES_ADDED(16, x, x);
#endif
#if FRS_WIDTH >= 8
    x = HALVES_ADDED(8, x, x);
#endif
    x = HALVES_ADDED(4, x, x);
    return x[0] + x[1];
}

#define SWAP_BLOCKS(n, a, b)                                                                                 \
    do {                                                                                                     \
        frs_lanes low = SHUFFLED(LOW_##n, a, b), high = SHUFFLED(HIGH_##n, a, b);                            \
        (a) = low;                                                                                           \
        (b) = high;                                                                                          \
    } while (0)

/* Lane j of rows[i] and lane i of rows[j] change places. */
FRS_INLINE void frs_lanes_transpose(frs_lanes rows[FRS_WIDTH]) {
#if FRS_WIDTH == 16
    for (size_t i = 0; i < 8; i++)
        SWAP_BLOCKS(16, rows[i], rows[i + 8]);
#endif
#if FRS_WIDTH >= 8
    for (size_t at = 0; at < FRS_WIDTH; at += 8)
        for (size_t i = at; i < at + 4; i++)
            SWAP_BLOCKS(8, rows[i], rows[i + 4]);
#endif
    for (size_t at = 0; at < FRS_WIDTH; at += 4)
        for (size_t i = at; i < at + 2; i++)
            SWAP_BLOCKS(4, rows[i], rows[i + 2]);
    for (size_t i = 0; i < FRS_WIDTH; i += 2)
        SWAP_BLOCKS(2, rows[i], rows[i + 1]);
}

/* All bits set where x < bound; neither is negative or NaN. (Subtracting the bits is what compiles well.) */
FRS_INLINE frs_lanes_bits frs_lanes_below(frs_lanes x, frs_lanes bound) {
    return ((frs_lanes_bits)x - (frs_lanes_bits)bound) >> 31;
}

/* All bits that are set in any lane. */
FRS_INLINE uint32_t frs_lanes_or(frs_lanes_bits x) {
    uint32_t any = 0;
    for (size_t j = 0; j < FRS_WIDTH; j++)
        any |= (uint32_t)x[j];
    return any;
}

/* Bit j: whether lane j has a bit set. */
FRS_INLINE uint32_t frs_lanes_mask(frs_lanes_bits x) {
#if FRS_WIDTH == 16
    return _mm512_test_epi32_mask((__m512i)x, (__m512i)x);
#elif FRS_WIDTH == 8
    return (uint32_t)_mm256_movemask_ps((__m256)(x | -x));
#else
    uint32_t mask = 0;
    for (size_t j = 0; j < FRS_WIDTH; j++)
        mask |= (uint32_t)(x[j] != 0) << j;
    return mask;
#endif
}

/* 1/√x to a relative error of 8e-7 for normal x > 0; something finite for 0, NaN for NaN. It is the
 * processor's own estimate and one Newton step. Where the processor has none, it is an estimate from the
 * exponent and two Newton steps with the constants of Walczyk, Moroz & Cieśliński (Entropy 2021), which
 * gain more bits than Newton's own. */
FRS_INLINE frs_lanes frs_lanes_rsqrt(frs_lanes x) {
#if FRS_WIDTH == 16
    x = (frs_lanes)_mm512_max_ps(_mm512_set1_ps(1e-37f), (__m512)x);
    frs_lanes guess = (frs_lanes)_mm512_rsqrt14_ps((__m512)x);
    return guess * (1.5f - 0.5f * x * guess * guess);
#elif FRS_WIDTH == 8
    x = (frs_lanes)_mm256_max_ps(_mm256_set1_ps(1e-37f), (__m256)x);
    frs_lanes guess = (frs_lanes)_mm256_rsqrt_ps((__m256)x);
    return guess * (1.5f - 0.5f * x * guess * guess);
#else
    frs_lanes y = (frs_lanes)(0x5f376908 - ((frs_lanes_bits)x >> 1)), half = 0.5f * x;
    y = y * (1.50087896f - half * y * y);
    return y * (1.50000057f - half * y * y);
#endif
}

/* 1/x to a few units of the last place for normal x > 0 below 1e38: a first estimate from the exponent,
 * right to 6 %, and two of Halley's steps, each of which raises the relative error to the third power. */
FRS_INLINE frs_lanes frs_lanes_reciprocal(frs_lanes x) {
    frs_lanes y = (frs_lanes)(0x7ef311c3 - (frs_lanes_bits)x), e = 1 - x * y;
    y += y * (e + e * e);
    e = 1 - x * y;
    return y + y * (e + e * e);
}

#endif
