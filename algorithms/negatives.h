/* Negatives: items without an interaction of the client, which training assumes that the client does not
 * like. The evaluation's negatives are in algorithms/data/candidates.h. */
#ifndef FRS_ALGORITHMS_NEGATIVES_H
#define FRS_ALGORITHMS_NEGATIVES_H

#include "sim/base/arena.h"

#include <stddef.h>
#include <stdint.h>

struct frs_rng;

/* What may be drawn: the n of n_items items whose bits in `excluded` are clear. */
struct frs_negative_pool {
    uint64_t *excluded; /* [⌈n_items / 64⌉]; changed meanwhile, and afterwards as before */
    size_t n_items, n;
};

/* Draws `per_positive` items for each of n_positives, distinct within one positive; all of the pool, if it
 * has no more. Writes them as samples (item << 1, algorithms/samples.h), and returns how many. */
size_t frs_negatives_draw(const struct frs_negative_pool *pool, size_t n_positives, size_t per_positive,
    struct frs_rng *rng, struct frs_arena *arena, uint32_t *samples);

#endif
