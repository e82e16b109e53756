#include "sim/base/numbers/philox_blocks.h"
#include "sim/base/numbers/levels.h"

#include <Random123/philox.h>
#include <stddef.h>

#define BLOCKS FRS_PHILOX_BLOCKS

#if defined __AVX2__ || defined __AVX512F__
#include <immintrin.h>
#endif

FRS_KERNEL(
    void, frs_philox_blocks, (const uint32_t key[2], const uint32_t counter[4], uint32_t out[BLOCKS][4])) {
#if defined __AVX512F__
    /* A word stands in the lower half of 64 bits, where the multiplication reads it. The upper half is
     * never read. */
    const __m512i m0 = _mm512_set1_epi64(PHILOX_M4x32_0), m1 = _mm512_set1_epi64(PHILOX_M4x32_1);
    const __m512i lower = _mm512_set1_epi64(0xffffffff);
    for (size_t at = 0; at < BLOCKS; at += 8) {
        uint32_t key0 = key[0], key1 = key[1], number = counter[0] + (uint32_t)at;
        __m512i x0 = _mm512_add_epi64(_mm512_set1_epi64(number), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
        __m512i x1 = _mm512_set1_epi64(counter[1]), x2 = _mm512_set1_epi64(counter[2]),
                x3 = _mm512_set1_epi64(counter[3]);
        for (int round = 0; round < PHILOX4x32_DEFAULT_ROUNDS; round++) {
            __m512i first = _mm512_mul_epu32(x0, m0), second = _mm512_mul_epu32(x2, m1);
            x0 = _mm512_xor_si512(
                _mm512_xor_si512(_mm512_srli_epi64(second, 32), x1), _mm512_set1_epi64(key0));
            x1 = second;
            x2 =
                _mm512_xor_si512(_mm512_xor_si512(_mm512_srli_epi64(first, 32), x3), _mm512_set1_epi64(key1));
            x3 = first;
            key0 += PHILOX_W32_0;
            key1 += PHILOX_W32_1;
        }
        __m512i front = _mm512_or_si512(_mm512_and_si512(x0, lower), _mm512_slli_epi64(x1, 32)),
                back = _mm512_or_si512(_mm512_and_si512(x2, lower), _mm512_slli_epi64(x3, 32));
        const __m512i low = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0),
                      high = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
        _mm512_storeu_si512(out[at], _mm512_permutex2var_epi64(front, low, back));
        _mm512_storeu_si512(out[at + 4], _mm512_permutex2var_epi64(front, high, back));
    }
#elif defined __AVX2__
    /* The same with registers of half the width. */
    const __m256i m0 = _mm256_set1_epi64x(PHILOX_M4x32_0), m1 = _mm256_set1_epi64x(PHILOX_M4x32_1);
    const __m256i lower = _mm256_set1_epi64x(0xffffffff);
    for (size_t at = 0; at < BLOCKS; at += 4) {
        uint32_t key0 = key[0], key1 = key[1], number = counter[0] + (uint32_t)at;
        __m256i x0 = _mm256_add_epi64(_mm256_set1_epi64x(number), _mm256_set_epi64x(3, 2, 1, 0));
        __m256i x1 = _mm256_set1_epi64x(counter[1]), x2 = _mm256_set1_epi64x(counter[2]),
                x3 = _mm256_set1_epi64x(counter[3]);
        for (int round = 0; round < PHILOX4x32_DEFAULT_ROUNDS; round++) {
            __m256i first = _mm256_mul_epu32(x0, m0), second = _mm256_mul_epu32(x2, m1);
            __m256i front = _mm256_xor_si256(x1, _mm256_set1_epi64x(key0)),
                    back = _mm256_xor_si256(x3, _mm256_set1_epi64x(key1));
            x0 = _mm256_xor_si256(_mm256_srli_epi64(second, 32), front);
            x1 = second;
            x2 = _mm256_xor_si256(_mm256_srli_epi64(first, 32), back);
            x3 = first;
            key0 += PHILOX_W32_0;
            key1 += PHILOX_W32_1;
        }
        __m256i front = _mm256_or_si256(_mm256_and_si256(x0, lower), _mm256_slli_epi64(x1, 32)),
                back = _mm256_or_si256(_mm256_and_si256(x2, lower), _mm256_slli_epi64(x3, 32));
        __m256i even = _mm256_unpacklo_epi64(front, back), odd = _mm256_unpackhi_epi64(front, back);
        _mm256_storeu_si256((__m256i *)out[at], _mm256_permute2x128_si256(even, odd, 0x20));
        _mm256_storeu_si256((__m256i *)out[at + 2], _mm256_permute2x128_si256(even, odd, 0x31));
    }
#else
    uint32_t x0[BLOCKS], x1[BLOCKS], x2[BLOCKS], x3[BLOCKS], key0 = key[0], key1 = key[1];
    for (uint32_t i = 0; i < BLOCKS; i++) {
        x0[i] = counter[0] + i;
        x1[i] = counter[1];
        x2[i] = counter[2];
        x3[i] = counter[3];
    }
    for (int round = 0; round < PHILOX4x32_DEFAULT_ROUNDS; round++) {
        for (size_t i = 0; i < BLOCKS; i++) {
            uint64_t first = (uint64_t)PHILOX_M4x32_0 * x0[i], second = (uint64_t)PHILOX_M4x32_1 * x2[i];
            x0[i] = (uint32_t)(second >> 32) ^ x1[i] ^ key0;
            x1[i] = (uint32_t)second;
            x2[i] = (uint32_t)(first >> 32) ^ x3[i] ^ key1;
            x3[i] = (uint32_t)first;
        }
        key0 += PHILOX_W32_0;
        key1 += PHILOX_W32_1;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        out[i][0] = x0[i];
        out[i][1] = x1[i];
        out[i][2] = x2[i];
        out[i][3] = x3[i];
    }
#endif
}
