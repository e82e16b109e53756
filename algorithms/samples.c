#include "algorithms/samples.h"
#include "sim/base/numbers/rng.h"

#include <stdbool.h>
#include <string.h>

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

/* Items whose bit in `map` is clear; distinct; leaves the map as it was. Rejection is cheap as long as enough
 * items are free; otherwise all free items are listed and a random prefix of their permutation is taken. */
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

/* Replaces item ids by local rows; fills ids. */
static void compact(struct frs_samples *samples, uint64_t *map, size_t n_words, struct frs_arena *arena) {
    for (size_t i = 0; i < samples->n; i++)
        map[samples->samples[i] / 2 / 64] |= UINT64_C(1) << samples->samples[i] / 2 % 64;
    uint32_t *ids = frs_arena_take(arena, samples->n, sizeof *ids);
    uint32_t *rows = frs_arena_take(arena, 64 * n_words, sizeof *rows); /* by item, where there is one */
    uint32_t n_rows = 0;
    for (size_t w = 0; w < n_words; w++)
        for (uint64_t bits = map[w]; bits; bits &= bits - 1) {
            uint32_t item = (uint32_t)(64 * w + (size_t)__builtin_ctzll(bits));
            rows[item] = n_rows;
            ids[n_rows++] = item;
        }
    for (size_t i = 0; i < samples->n; i++)
        samples->samples[i] = rows[samples->samples[i] / 2] << 1 | (samples->samples[i] & 1);
    samples->n_rows = n_rows;
    samples->ids = ids;
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
        while (is_set(map, drawn[i]) | is_among(drawn, i, drawn[i]));
    }
    for (size_t i = 0; i < USUAL; i++)
        samples[i] = drawn[i] << 1;
}

/* Draws negatives for every positive; items whose bits in `map` are set are not drawn. */
static void draw_negatives(struct frs_samples *samples, uint64_t *map, size_t n_items, size_t n_free,
    size_t per_positive, struct frs_rng *rng, struct frs_arena *arena) {
    size_t n_positives = samples->n;
    if (per_positive == USUAL && n_free > USUAL && 8 * n_free >= n_items) {
        for (size_t i = 0; i < n_positives; i++, samples->n += USUAL)
            draw_usual(map, n_items, rng, samples->samples + samples->n);
        return;
    }
    uint32_t *drawn = frs_arena_take(arena, per_positive, sizeof *drawn);
    uint32_t *scratch = frs_arena_take(arena, n_free, sizeof *scratch);
    for (size_t i = 0; i < n_positives; i++) {
        size_t n = draw_free(map, n_items, n_free, per_positive, rng, drawn, scratch);
        for (size_t j = 0; j < n; j++)
            samples->samples[samples->n++] = drawn[j] << 1;
    }
}

struct frs_samples frs_samples_draw(const struct frs_client_data *data, size_t n_items, size_t per_positive,
    struct frs_rng *rng, struct frs_arena *arena) {
    size_t n_words = (n_items + 63) / 64, n_free = n_items - data->n_excluded;
    struct frs_samples samples = {0};
    samples.samples = frs_arena_take(arena, data->n * (1 + per_positive), sizeof *samples.samples);
    for (size_t i = 0; i < data->n; i++)
        samples.samples[samples.n++] = data->items[i] << 1 | 1;
    uint64_t *map = frs_arena_take_zeroed(arena, n_words, sizeof *map);
    for (size_t i = 0; i < data->n_excluded; i++)
        flip(map, data->excluded[i]);
    draw_negatives(&samples, map, n_items, n_free, per_positive, rng, arena);
    memset(map, 0, n_words * sizeof *map);
    compact(&samples, map, n_words, arena);
    return samples;
}

size_t frs_samples_count(const struct frs_client_data *data, size_t n_items, size_t per_positive) {
    size_t n_free = n_items - data->n_excluded;
    return data->n * (1 + (n_free < per_positive ? n_free : per_positive));
}

/* The last of the first n samples becomes a random one of them; returns how many are left, one less unless
 * the half word was of no use. */
static inline size_t place_last(uint32_t *samples, size_t n, uint32_t half) {
    uint32_t draw;
    if (!frs_rng_below_half(half, (uint32_t)n, &draw))
        return n;
    uint32_t kept = samples[n - 1];
    samples[n - 1] = samples[draw];
    samples[draw] = kept;
    return n - 1;
}

/* A partial Fisher–Yates from the end: the last n − batch places get a random choice in random order, the
 * first batch is what remains. */
void frs_samples_shuffle(struct frs_samples *samples, size_t batch, struct frs_rng *rng) {
    size_t n = samples->n;
    uint32_t *all = samples->samples;
    for (; n > batch && n > 0x10000; n--) {
        uint32_t draw = frs_rng_below(rng, (uint32_t)n), kept = all[n - 1];
        all[n - 1] = all[draw];
        all[draw] = kept;
    }
    while (n > batch) {
        uint32_t word = frs_rng_u32(rng);
        n = place_last(all, n, word);
        if (n > batch)
            n = place_last(all, n, word >> 16);
    }
}
