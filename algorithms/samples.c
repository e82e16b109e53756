#include "algorithms/samples.h"
#include "algorithms/negatives.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <string.h>

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

struct frs_samples frs_samples_draw(const struct frs_client_data *data, size_t n_items, size_t per_positive,
    struct frs_rng *rng, struct frs_arena *arena) {
    size_t n_words = (n_items + 63) / 64, n_free = n_items - data->n_excluded;
    struct frs_samples samples = {0};
    samples.samples = frs_arena_take(arena, data->n * (1 + per_positive), sizeof *samples.samples);
    for (size_t i = 0; i < data->n; i++)
        samples.samples[samples.n++] = data->items[i] << 1 | 1;
    uint64_t *map = frs_arena_take_zeroed(arena, n_words, sizeof *map);
    for (size_t i = 0; i < data->n_excluded; i++)
        map[data->excluded[i] / 64] ^= UINT64_C(1) << data->excluded[i] % 64;
    const struct frs_negative_pool pool = {.excluded = map, .n_items = n_items, .n = n_free};
    samples.n += frs_negatives_draw(&pool, data->n, per_positive, rng, arena, samples.samples + samples.n);
    memset(map, 0, n_words * sizeof *map);
    compact(&samples, map, n_words, arena);
    return samples;
}

size_t frs_samples_count(const struct frs_client_data *data, size_t n_items, size_t per_positive) {
    size_t n_free = n_items - data->n_excluded;
    return data->n * (1 + (n_free < per_positive ? n_free : per_positive));
}

/* The last of the first n samples becomes a random one of them. Returns how many are left: one less,
 * unless the half word had to be rejected. */
static inline size_t place_last(uint32_t *samples, size_t n, uint32_t half) {
    uint32_t draw;
    if (!frs_rng_below_half(half, (uint32_t)n, &draw))
        return n;
    uint32_t kept = samples[n - 1];
    samples[n - 1] = samples[draw];
    samples[draw] = kept;
    return n - 1;
}

/* A partial Fisher–Yates shuffle from the end: the last n − batch places get a random choice in random
 * order, and the first batch is what remains. */
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

struct frs_extent frs_extent_of(double epochs, size_t steps, size_t n, size_t batch) {
    size_t total;
    if (n == 0)
        return (struct frs_extent){0};
    if (steps > 0) {
        size_t batches = (n + batch - 1) / batch, whole = (steps - 1) / batches,
               left = (steps - whole * batches) * batch;
        return (struct frs_extent){whole + 1, left < n ? left : n};
    }
    total = (size_t)ceil(epochs * (double)n * (1 - 1e-12)); /* 1.1 · 50 is a little above 55 */
    size_t passes = (total + n - 1) / n;
    return (struct frs_extent){passes, total - (passes - 1) * n};
}
