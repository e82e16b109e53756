#include "algorithms/negatives.h"
#include "sim/base/numbers/rng.h"

#include <stdbool.h>

static bool is_set(const uint64_t *map, uint32_t item) {
    return map[item / 64] >> item % 64 & 1;
}

static void flip(uint64_t *map, uint32_t item) {
    map[item / 64] ^= UINT64_C(1) << item % 64;
}

#define FEW 8u /* items that are compared one by one sooner than marked and unmarked */

static bool is_among(const uint32_t *items, size_t n, uint32_t item) {
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found |= items[i] == item;
    return found;
}

static size_t take_all_left(const uint64_t *map, size_t n_items, uint32_t *out) {
    size_t n = 0;
    for (uint32_t item = 0; item < n_items; item++)
        if (!is_set(map, item))
            out[n++] = item;
    return n;
}

/* Draws distinct items whose bit in `map` is clear; leaves the map as it was. Rejection is cheap as long
 * as enough items are free; otherwise all free items are listed and a random prefix of their permutation
 * is taken. */
static size_t draw_free(uint64_t *map, size_t n_items, size_t n_free, size_t n, struct frs_rng *rng,
    uint32_t *out, uint32_t *scratch) {
    if (n_free <= n)
        return take_all_left(map, n_items, out);
    if (8 * n_free < n_items) {
        take_all_left(map, n_items, scratch);
        for (size_t i = 0; i < n; i++) {
            size_t j = i + frs_rng_below(rng, (uint32_t)(n_free - i));
            out[i] = scratch[j];
            scratch[j] = scratch[i];
        }
        return n;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t item;
        do
            item = frs_rng_below(rng, (uint32_t)n_items);
        while (is_set(map, item) || (n <= FEW && is_among(out, i, item)));
        out[i] = item;
        if (n > FEW)
            flip(map, item);
    }
    for (size_t i = 0; n > FEW && i < n; i++)
        flip(map, out[i]);
    return n;
}

/* The number of negatives that papers draw for each positive is unrolled. */
#define USUAL 4u

/* What draw_free does for so many where most items are free, as samples. */
static void draw_usual(
    const uint64_t *map, size_t n_items, struct frs_rng *restrict rng, uint32_t *restrict samples) {
    uint32_t drawn[USUAL];
#pragma GCC unroll 4
    for (size_t i = 0; i < USUAL; i++) {
        do
            drawn[i] = frs_rng_below(rng, (uint32_t)n_items);
        while ((unsigned)is_set(map, drawn[i]) | (unsigned)is_among(drawn, i, drawn[i]));
    }
    for (size_t i = 0; i < USUAL; i++)
        samples[i] = drawn[i] << 1;
}

size_t frs_negatives_draw(const struct frs_negative_pool *pool, size_t n_positives, size_t per_positive,
    struct frs_rng *rng, struct frs_arena *arena, uint32_t *samples) {
    uint64_t *map = pool->excluded;
    size_t n_samples = 0;
    if (per_positive == USUAL && pool->n > USUAL && 8 * pool->n >= pool->n_items) {
        for (size_t i = 0; i < n_positives; i++, n_samples += USUAL)
            draw_usual(map, pool->n_items, rng, samples + n_samples);
        return n_samples;
    }
    uint32_t *drawn = frs_arena_take(arena, per_positive, sizeof *drawn);
    uint32_t *scratch = frs_arena_take(arena, pool->n, sizeof *scratch);
    for (size_t i = 0; i < n_positives; i++) {
        size_t n = draw_free(map, pool->n_items, pool->n, per_positive, rng, drawn, scratch);
        for (size_t j = 0; j < n; j++)
            samples[n_samples++] = drawn[j] << 1;
    }
    return n_samples;
}
