#include "algorithms/privacy/masks/mask_cost.h"

/* Measured: 38 µs, 2.8 ns, 48 ns, 23 ns and 0.4 µs, with training at 4 Gflop/s (0.25 ns). */
#define AGREEMENT_FLOP 150000.
#define MASKED_NUMBER_FLOP 11.
#define SHARE_STEP_FLOP 190.
#define WEIGHT_STEP_FLOP 90.
#define BOX_FLOP 1600.

double frs_mask_flop(const struct frs_mask_tally *tally) {
    return AGREEMENT_FLOP * (double)tally->agreements + MASKED_NUMBER_FLOP * (double)tally->masked_numbers +
           SHARE_STEP_FLOP * (double)tally->share_steps + WEIGHT_STEP_FLOP * (double)tally->weight_steps +
           BOX_FLOP * (double)tally->boxes;
}
