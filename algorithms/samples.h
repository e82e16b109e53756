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

/* Extent: how far a client goes through its n samples in one participation, in batches of `batch`. `last`
 * samples are those of the last pass; all passes before it have all n. */
struct frs_extent {
    size_t passes, last;
};

/* steps > 0: so many batches, in as many passes as they take. Otherwise epochs · n samples, rounded up, where
 * epochs > 0 may be a share. Passes and last are 0 for n = 0. */
struct frs_extent frs_extent_of(double epochs, size_t steps, size_t n, size_t batch);

/* Samples of the first `passes` passes. */
static inline size_t frs_extent_samples(struct frs_extent extent, size_t passes, size_t n) {
    return passes < extent.passes || passes == 0 ? passes * n : (passes - 1) * n + extent.last;
}

/* Samples of this pass, counted from 0. */
static inline size_t frs_extent_of_pass(struct frs_extent extent, size_t pass, size_t n) {
    return pass + 1 < extent.passes ? n : extent.last;
}

/* Shuffles the samples for the next epoch into batches of `batch`: the k-th batch is samples[k·batch …]. The
 * order within a batch has no meaning. Costs n − batch draws. */
void frs_samples_shuffle(struct frs_samples *samples, size_t batch, struct frs_rng *rng);

#endif
