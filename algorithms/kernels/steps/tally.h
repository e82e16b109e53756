/* Tally: how often every sample occurs in a batch, for kernels that process all rows at every batch.
 * (batch.h is for kernels that process only the rows of the batch.) */
#ifndef FRS_ALGORITHMS_TALLY_H
#define FRS_ALGORITHMS_TALLY_H

#include "sim/base/numbers/levels.h"

#include <stdint.h>
#include <string.h>

#define FRS_TALLY_POSITIVE 24 /* bits of occurrences, below those of positives */

/* Fills in tally[row], of `rows` rows that begin as zeros: occurrences in a batch, below 2^24, and how
 * many of them are positives, below 2^8 (a user likes an item once). */
FRS_INLINE void frs_tally_fill(uint32_t *tally, size_t rows, const uint32_t *samples, size_t n) {
    memset(tally, 0, rows * sizeof *tally);
    for (size_t i = 0; i < n; i++)
        tally[samples[i] >> 1] += 1 + ((samples[i] & 1) << FRS_TALLY_POSITIVE);
}

/* Occurrences of a row, and of which positives, as floats. Signed, since that converts faster. */
FRS_INLINE float frs_tally_count(const uint32_t *tally, size_t row) {
    return (float)(int32_t)(tally[row] & ((1u << FRS_TALLY_POSITIVE) - 1));
}

FRS_INLINE float frs_tally_positive(const uint32_t *tally, size_t row) {
    return (float)(int32_t)(tally[row] >> FRS_TALLY_POSITIVE);
}

#endif
