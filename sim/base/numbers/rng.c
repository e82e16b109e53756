#include "sim/base/numbers/rng.h"
#include "sim/base/numbers/levels.h"
#include "sim/base/numbers/philox_blocks.h"
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
_Static_assert(BLOCKS == FRS_PHILOX_BLOCKS, "a stream holds as many as are computed side by side");
#define AFTER_BLOCKS 2u /* most streams end before */

static void fill_ahead(struct frs_rng *rng) {
    frs_philox_blocks(rng->key, rng->counter, rng->ahead);
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
