/* Randomness: counter-based streams (Philox4x32-10 of Random123).
 *
 * A stream is named by (seed, client, round, attempt, purpose). Two streams with different names are
 * independent, and drawing from one never shifts another, so a scenario stays paired with its variants.
 * Nothing in the program draws from anything else.
 *
 * Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
#ifndef FRS_BASE_RNG_H
#define FRS_BASE_RNG_H

#include "sim/base/numbers/purposes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `client` of streams that belong to no client. */
#define FRS_RNG_SERVER UINT32_MAX

/* A stream that is used much computes FRS_RNG_AHEAD blocks side by side. */
#define FRS_RNG_AHEAD 16u

struct frs_rng {
    uint32_t key[2], counter[4], block[4];
    unsigned used;    /* words of `block` already handed out, 4 = none left */
    unsigned n_ahead; /* blocks of `ahead` not yet handed out, the last ones of it */
    uint32_t ahead[FRS_RNG_AHEAD][4];
};

/* Ranges: attempt < 2^24. */
struct frs_rng frs_rng_stream(
    uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt, enum frs_purpose purpose);

/* The stream goes on with this block of four words; most draws take a part of one. */
void frs_rng_skip_to(struct frs_rng *rng, uint32_t block);

/* The next block. */
void frs_rng_refill(struct frs_rng *rng);

static inline uint32_t frs_rng_u32(struct frs_rng *rng) {
    if (rng->used == 4)
        frs_rng_refill(rng);
    return rng->block[rng->used++];
}

uint64_t frs_rng_u64(struct frs_rng *rng);

/* Uniform on 0 … n−1 without bias (Lemire 2019: divides only where it may have to reject); n ≥ 1. */
static inline uint32_t frs_rng_below(struct frs_rng *rng, uint32_t n) {
    uint64_t product = (uint64_t)frs_rng_u32(rng) * n;
    if ((uint32_t)product < n) {
        uint32_t threshold = -n % n;
        while ((uint32_t)product < threshold)
            product = (uint64_t)frs_rng_u32(rng) * n;
    }
    return (uint32_t)(product >> 32);
}

/* The same for n ≤ 65536, from half a word: the lower 16 bits of `half` are used. Sets *draw to the number
 * and returns true, or returns false if another half word is needed. */
static inline bool frs_rng_below_half(uint32_t half, uint32_t n, uint32_t *draw) {
    uint32_t product = (half & 0xffffu) * n, rest = product & 0xffffu;
    *draw = product >> 16;
    return rest >= n || rest >= 0x10000u % n;
}

/* Uniform on [0, 1), 53 bits. */
double frs_rng_unit(struct frs_rng *rng);

/* The next n of these. */
void frs_rng_units(struct frs_rng *rng, double *values, size_t n);

/* Standard normal (Box–Muller; the second value of each pair is not kept, so that one draw costs a fixed
 * number of words). */
double frs_rng_normal(struct frs_rng *rng);

/* Standard exponential: mean 1. */
double frs_rng_exponential(struct frs_rng *rng);

/* values[i] = mean-zero normals with standard deviation `sd`. */
void frs_rng_fill_normal(struct frs_rng *rng, float *values, size_t n, double sd);

/* Fisher–Yates. */
void frs_rng_shuffle(struct frs_rng *rng, uint32_t *values, size_t n);

/* The first k values of a random permutation of 0 … n−1, in the order drawn; k ≤ n. Costs O(k). */
void frs_rng_sample(struct frs_rng *rng, uint32_t n, uint32_t k, uint32_t *out);

#endif
