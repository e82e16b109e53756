/* Masked sum: what a server that can read a sum alone aggregates in place of single uploads. */
#ifndef FRS_ALGORITHMS_TRAINING_MASKED_SUM_H
#define FRS_ALGORITHMS_TRAINING_MASKED_SUM_H

#include "algorithms/privacy/masks/mask_standing.h"
#include "algorithms/training/training_setup.h"

/* Who took part in a round of pairwise masks, and how far each came. */
struct frs_masked {
    const struct frs_mask_round *round;
    const enum frs_mask_reached *reached;
    const uint32_t *clients; /* ascending, as their places */
    uint32_t attempt;
};

struct frs_masked_counts {
    uint64_t values, clipped; /* of all uploads */
};

/* Sums the contributions, of ascending client id and equal weight, in fixed point. The first contribution
 * then holds the sum, as a change of whole tables, and the others nothing. Rows of parts that are averaged
 * by item are divided by the number of uploads that changed them, which is the sum of their marks.
 * `masked`: keys, masks and shares are really computed, and the contributions are those of all clients
 * that reached FRS_REACHED_MASKED. NULL (a replayed history): numbers are added as they are, with the same
 * result. */
void frs_masked_sum(const struct frs_training_setup *setup, const struct frs_masked *masked,
    struct frs_contribution *contributions, size_t n, struct frs_arena *arena,
    struct frs_masked_counts *counts);

#endif
