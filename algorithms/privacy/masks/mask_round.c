#include "algorithms/privacy/masks/mask_round.h"

#include <math.h>

size_t frs_mask_threshold(double share, size_t degree) {
    double exact = ceil(share * (double)(degree + 1) - 1e-9);
    return exact > 2 ? (size_t)exact : 2;
}
