/* Labels: long */
/* Twice as many random rounds: see test_mask_round.c. */
#define CASES(n) (n)
#include "tests/algorithms/shields/masks/test_mask_round.c"
