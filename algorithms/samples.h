/* Samples: what one client trains on in one participation of an implicit-feedback method.
 *
 * Every training item is a positive; for each of them `per_positive` items outside the client's excluded list
 * are drawn, distinct within one positive, anew for every participation and fixed over its local epochs. The
 * evaluation protocol decides what is excluded (docs/evaluation.md). The items that occur are numbered
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

/* If fewer than `per_positive` items are left, all of them are taken. A client without training items has
 * no samples. Memory from the arena. */
struct frs_samples frs_samples_draw(const struct frs_client_data *data, size_t n_items, size_t per_positive,
    struct frs_rng *rng, struct frs_arena *arena);

/* How many samples that gives. */
size_t frs_samples_count(const struct frs_client_data *data, size_t n_items, size_t per_positive);

/* Shuffles the samples for the next epoch into batches of `batch`: the k-th batch is samples[k·batch …]. The
 * order within a batch has no meaning. Costs n − batch draws. */
void frs_samples_shuffle(struct frs_samples *samples, size_t batch, struct frs_rng *rng);

#endif
