/* Tally: how often every sample occurs in a batch, for kernels that go through all rows at every batch.
 * (batch.h is for those that go through the rows of the batch.) */
#ifndef FRS_ALGORITHMS_TALLY_H
#define FRS_ALGORITHMS_TALLY_H

#include "sim/base/numbers/clones.h"

#include <stdint.h>
#include <string.h>

/* tally[2 · row + label], as samples are written; as many zeros as there is room for go first. */
FRS_INLINE void frs_tally_fill(uint32_t *tally, size_t room, const uint32_t *samples, size_t n) {
    memset(tally, 0, room * sizeof *tally);
    for (size_t i = 0; i < n; i++)
        tally[samples[i]]++;
}

/* Occurrences of a row, and of which positives, as floats. Signed, since that converts faster. */
FRS_INLINE float frs_tally_count(const uint32_t *tally, size_t row) {
    return (float)(int32_t)(tally[2 * row] + tally[2 * row + 1]);
}

FRS_INLINE float frs_tally_positive(const uint32_t *tally, size_t row) {
    return (float)(int32_t)tally[2 * row + 1];
}

#endif
