#include "sim/base/numbers/rng.h"
#include "sim/base/numbers/clones.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <Random123/philox.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct frs_rng frs_rng_stream(
    uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt, enum frs_purpose purpose) {
    FRS_INVARIANT(attempt < 1u << 24, "attempt %u does not fit a random key", attempt);
    return (struct frs_rng){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, client, round, (uint32_t)purpose << 24 | attempt},
        .used = 4,
    };
}

void frs_rng_skip_to(struct frs_rng *rng, uint32_t block) {
    rng->counter[0] = block;
    rng->used = 4;
    rng->n_ahead = 0;
}

#define BLOCKS FRS_RNG_AHEAD
#define AFTER_BLOCKS 2u /* most streams end before */

/* philox4x32 of the next blocks: as Random123's, its ten rounds for all of them at once. */
static void fill_portable(const struct frs_rng *rng, uint32_t out[BLOCKS][4]) {
    uint32_t x0[BLOCKS], x1[BLOCKS], x2[BLOCKS], x3[BLOCKS], key0 = rng->key[0], key1 = rng->key[1];
    for (uint32_t i = 0; i < BLOCKS; i++) {
        x0[i] = rng->counter[0] + i;
        x1[i] = rng->counter[1];
        x2[i] = rng->counter[2];
        x3[i] = rng->counter[3];
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
}

#ifdef __x86_64__
#include <immintrin.h>

/* The same. A word stands in the lower half of 64 bits, where the multiplication looks for it; what the upper
 * half has is never read. */
__attribute__((target("avx512f"))) static void fill_avx512(
    const struct frs_rng *rng, uint32_t out[BLOCKS][4]) {
    const __m512i m0 = _mm512_set1_epi64(PHILOX_M4x32_0), m1 = _mm512_set1_epi64(PHILOX_M4x32_1);
    const __m512i lower = _mm512_set1_epi64(0xffffffff);
    for (size_t at = 0; at < BLOCKS; at += 8) {
        uint32_t key0 = rng->key[0], key1 = rng->key[1], counter = rng->counter[0] + (uint32_t)at;
        __m512i x0 = _mm512_add_epi64(_mm512_set1_epi64(counter), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
        __m512i x1 = _mm512_set1_epi64(rng->counter[1]), x2 = _mm512_set1_epi64(rng->counter[2]),
                x3 = _mm512_set1_epi64(rng->counter[3]);
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
}

/* The same with registers of half the width. */
__attribute__((target("avx2"))) static void fill_avx2(const struct frs_rng *rng, uint32_t out[BLOCKS][4]) {
    const __m256i m0 = _mm256_set1_epi64x(PHILOX_M4x32_0), m1 = _mm256_set1_epi64x(PHILOX_M4x32_1);
    const __m256i lower = _mm256_set1_epi64x(0xffffffff);
    for (size_t at = 0; at < BLOCKS; at += 4) {
        uint32_t key0 = rng->key[0], key1 = rng->key[1], counter = rng->counter[0] + (uint32_t)at;
        __m256i x0 = _mm256_add_epi64(_mm256_set1_epi64x(counter), _mm256_set_epi64x(3, 2, 1, 0));
        __m256i x1 = _mm256_set1_epi64x(rng->counter[1]), x2 = _mm256_set1_epi64x(rng->counter[2]),
                x3 = _mm256_set1_epi64x(rng->counter[3]);
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
}
#endif

static void fill_ahead(struct frs_rng *rng) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        fill_avx512(rng, rng->ahead);
    else if (__builtin_cpu_supports("avx2"))
        fill_avx2(rng, rng->ahead);
    else
#endif
        fill_portable(rng, rng->ahead);
    rng->n_ahead = BLOCKS;
}

static void fill_one(struct frs_rng *rng) {
    philox4x32_ctr_t counter = {{rng->counter[0], rng->counter[1], rng->counter[2], rng->counter[3]}};
    philox4x32_key_t key = {{rng->key[0], rng->key[1]}};
    philox4x32_ctr_t block = philox4x32(counter, key);
    memcpy(rng->block, block.v, sizeof rng->block);
}

void frs_rng_refill(struct frs_rng *rng) {
    if (rng->n_ahead == 0 && rng->counter[0] >= AFTER_BLOCKS)
        fill_ahead(rng);
    if (rng->n_ahead > 0) {
        memcpy(rng->block, rng->ahead[BLOCKS - rng->n_ahead--], sizeof rng->block);
    } else {
        fill_one(rng);
    }
    FRS_INVARIANT(++rng->counter[0] != 0, "a random stream has run out of numbers");
    rng->used = 0;
}

uint64_t frs_rng_u64(struct frs_rng *rng) {
    uint64_t low = frs_rng_u32(rng);
    return low | (uint64_t)frs_rng_u32(rng) << 32;
}

static inline double unit_of(uint64_t words) {
    return (double)(words >> 11) * 0x1p-53;
}

double frs_rng_unit(struct frs_rng *rng) {
    return unit_of(frs_rng_u64(rng));
}

/* Two of each block. */
FRS_CLONES static void units_of(const uint32_t (*blocks)[4], size_t n_blocks, double *values) {
    const unsigned char *bytes =
        (const unsigned char *)blocks; /* of all rows: none of them reaches into the next */
    for (size_t i = 0; i < 2 * n_blocks; i++) {
        uint64_t words;
        memcpy(&words, bytes + i * sizeof words, sizeof words);
        values[i] = unit_of(words);
    }
}

void frs_rng_units(struct frs_rng *rng, double *values, size_t n) {
    size_t i = 0;
    while (i < n) {
        size_t whole = rng->used == 4 ? (n - i) / 2 : 0,
               n_blocks = whole < rng->n_ahead ? whole : rng->n_ahead;
        if (n_blocks == 0) {
            values[i++] = frs_rng_unit(rng);
            continue;
        }
        units_of((const uint32_t(*)[4])rng->ahead + (BLOCKS - rng->n_ahead), n_blocks, values + i);
        FRS_INVARIANT(rng->counter[0] <= UINT32_MAX - n_blocks, "a random stream has run out of numbers");
        rng->counter[0] += (uint32_t)n_blocks;
        rng->n_ahead -= (unsigned)n_blocks;
        i += 2 * n_blocks;
    }
}

double frs_rng_normal(struct frs_rng *rng) {
    double radius = sqrt(-2.0 * log(1.0 - frs_rng_unit(rng)));
    return radius * cos(2.0 * M_PI * frs_rng_unit(rng));
}

double frs_rng_exponential(struct frs_rng *rng) {
    return -log(1 - frs_rng_unit(rng)); /* of (0, 1] */
}

void frs_rng_fill_normal(struct frs_rng *rng, float *values, size_t n, double sd) {
    for (size_t i = 0; i < n; i++)
        values[i] = (float)(sd * frs_rng_normal(rng));
}

void frs_rng_shuffle(struct frs_rng *rng, uint32_t *values, size_t n) {
    for (size_t i = n; i > 1; i--) {
        uint32_t j = frs_rng_below(rng, (uint32_t)i);
        uint32_t swap = values[i - 1];
        values[i - 1] = values[j];
        values[j] = swap;
    }
}

/* The displaced entries of a virtual Fisher–Yates array, in an open-addressing table. */
void frs_rng_sample(struct frs_rng *rng, uint32_t n, uint32_t k, uint32_t *out) {
    FRS_INVARIANT(k <= n, "cannot draw %u of %u without replacement", k, n);
    size_t size = 16;
    while (size < 3 * (size_t)k)
        size *= 2;
    struct slot {
        uint32_t key, value;
        uint32_t used;
    } *table = frs_alloc(size, sizeof *table);
    for (uint32_t i = 0; i < k; i++) {
        uint32_t positions[2] = {i, i + frs_rng_below(rng, n - i)};
        struct slot *found[2];
        for (int side = 0; side < 2; side++) {
            size_t at = (positions[side] * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (size - 1);
            while (table[at].used && table[at].key != positions[side])
                at = (at + 1) & (size - 1);
            if (!table[at].used)
                table[at] = (struct slot){positions[side], positions[side], 1};
            found[side] = &table[at];
        }
        out[i] = found[1]->value;
        found[1]->value = found[0]->value;
    }
    free(table);
}
