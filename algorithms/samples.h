/* Samples: what one client trains on in one participation of an implicit-feedback method.
 *
 * Every training item is a positive; for each of them `per_positive` items outside the client's excluded list
 * are drawn, distinct within one positive, anew for every participation and fixed over its local epochs.
 * What is excluded is the evaluation protocol's (docs/evaluation.md). The items that occur are numbered
 * densely in ascending id order ("local rows"), so that training touches nothing else. */
#ifndef FRS_ALGORITHMS_SAMPLES_H
#define FRS_ALGORITHMS_SAMPLES_H

#include "algorithms/client_data.h"
#include "sim/base/arena.h"

struct frs_rng;

struct frs_samples {
    size_t n_rows;
    const uint32_t *ids; /* [n_rows] ascending item ids */
    size_t n;
    uint32_t *samples; /* [n]: local row << 1 | label, positives before negatives */
};

/* Where fewer than `per_positive` items are left to draw from, all of them are taken. A client without
 * training items has no samples. Memory from the arena. */
struct frs_samples frs_samples_draw(const struct frs_client_data *data, size_t n_items, size_t per_positive,
    struct frs_rng *rng, struct frs_arena *arena);

/* How many samples that gives. */
size_t frs_samples_count(const struct frs_client_data *data, size_t n_items, size_t per_positive);

/* Puts the samples into the order of the next epoch as far as batches of `batch` can tell: afterwards the
 * k-th batch of the random order is samples[k·batch …]. Order within a batch carries no meaning. Costs n −
 * batch draws. */
void frs_samples_shuffle(struct frs_samples *samples, size_t batch, struct frs_rng *rng);

#endif
