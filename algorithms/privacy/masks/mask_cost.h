/* Cost of pairwise masks: the counted work, as operations.
 *
 * The arithmetic of keys and streams differs from that of training, so its operations are not counted one
 * by one: each kind of work counts as the operations that training runs in the same time on the same core.
 * Measured by tests/bench/bench_masks.c beside bench_training.c; see docs/secure-aggregation.md. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_MASK_COST_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_MASK_COST_H

#include "algorithms/privacy/masks/mask_round.h"

double frs_mask_flop(const struct frs_mask_tally *tally);

#endif
