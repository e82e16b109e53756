#include "algorithms/privacy/masks/fixed_point.h"
#include "algorithms/codecs/bits.h"
#include "sim/base/errors.h"

#include <math.h>

bool frs_fixed_point_init(
    struct frs_fixed_point *fixed, double range, unsigned value_bits, uint32_t n_clients) {
    FRS_INVARIANT(range > 0 && value_bits >= 2 && value_bits <= 24, "fixed point of %u bits for ±%g",
        value_bits, range);
    uint32_t most = ((uint32_t)1 << value_bits) - 1;
    uint64_t most_of_all = (uint64_t)n_clients * most;
    uint32_t middle = most / 2;
    *fixed = (struct frs_fixed_point){
        .range = range, .step = range / middle, .middle = middle, .most = most, .n_clients = n_clients};
    if (most_of_all > UINT32_MAX)
        return false;
    fixed->sum_bits = frs_bits_for((size_t)most_of_all + 1);
    return true;
}

size_t frs_fixed_point_encode(
    const struct frs_fixed_point *fixed, const float *values, size_t n, uint32_t *numbers) {
    size_t n_clipped = 0;
    double middle = fixed->middle;
    for (size_t i = 0; i < n; i++) {
        double value = (double)values[i];
        FRS_INVARIANT(isfinite(value), "value %zu of an upload that is to be masked is not finite", i);
        bool outside = fabs(value) > fixed->range;
        n_clipped += outside;
        numbers[i] =
            outside ? (value > 0 ? 2 * fixed->middle : 0) : (uint32_t)(middle + value / fixed->step + 0.5);
    }
    return n_clipped;
}

bool frs_fixed_point_decode(
    const struct frs_fixed_point *fixed, const uint32_t *sums, size_t n, uint32_t n_clients, double *values) {
    FRS_INVARIANT(n_clients <= fixed->n_clients, "a sum of %u clients has room for %u only", n_clients,
        fixed->n_clients);
    uint64_t most = (uint64_t)n_clients * fixed->most;
    double zero = (double)n_clients * fixed->middle;
    bool possible = true;
    for (size_t i = 0; i < n; i++) {
        possible &= sums[i] <= most;
        values[i] = ((double)sums[i] - zero) * fixed->step;
    }
    return possible;
}
