#include "algorithms/kernels/compare.h"
#include "sim/base/numbers/levels.h"

#include <float.h>
#include <math.h>
#include <string.h>

FRS_INLINE uint32_t word_at(const uint8_t *bytes, size_t i) {
    uint32_t word;
    memcpy(&word, bytes + i * sizeof word, sizeof word);
    return word;
}

/* Number of words that are always compared. A processor cannot predict at which word a row begins to
 * differ, but it can predict that a trained row differs within this many. */
#define AT_ONCE 4u

FRS_INLINE uint32_t difference(const uint8_t *row, const uint8_t *from, size_t first, size_t end) {
    uint32_t found = 0;
    for (size_t k = first; k < end; k++)
        found |= word_at(row, k) ^ (from ? word_at(from, k) : 0);
    return found;
}

/* The first AT_ONCE words, two at a time. */
FRS_INLINE uint64_t first_difference(const uint8_t *row, const uint8_t *from) {
    uint64_t found = 0, a, b = 0;
    for (size_t k = 0; k < AT_ONCE * sizeof(float); k += sizeof a) {
        memcpy(&a, row + k, sizeof a);
        if (from)
            memcpy(&b, from + k, sizeof b);
        found |= a ^ b;
    }
    return found;
}

FRS_INLINE bool differs(const uint8_t *row, const float *base, size_t dim) {
    const uint8_t *from = (const uint8_t *)base;
    if (dim < AT_ONCE)
        return difference(row, from, 0, dim) != 0;
    return first_difference(row, from) != 0 || difference(row, from, AT_ONCE, dim) != 0;
}

FRS_CLONES size_t frs_rows_changed(
    const uint8_t *rows, const uint32_t *ids, size_t n, size_t dim, const float *base, uint32_t *at) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        at[found] = (uint32_t)i;
        found += differs(rows + i * dim * sizeof(float), base ? base + (ids ? ids[i] : i) * dim : NULL, dim);
    }
    return found;
}

FRS_CLONES size_t frs_places_of_nonzero(const float *values, size_t n, uint32_t *places) {
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        places[found] = (uint32_t)i;
        found += values[i] != 0;
    }
    return found;
}

FRS_CLONES void frs_rows_difference(const float *rows, const uint32_t *at, const float *base,
    const uint32_t *ids, size_t n, size_t dim, float *out) {
    for (size_t i = 0; i < n; i++) {
        const float *row = rows + at[i] * dim, *from = base ? base + ids[i] * dim : NULL;
        for (size_t k = 0; k < dim; k++) {
            float difference = from ? row[k] - from[k] : row[k];
            out[i * dim + k] = fabsf(difference) <= FLT_MAX ? difference : 0;
        }
    }
}

/* The exponent of a number that is not finite is all ones. */
FRS_CLONES bool frs_all_finite(const float *values, size_t n) {
    uint32_t worst = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bits &= 0x7f800000u;
        worst = bits > worst ? bits : worst;
    }
    return worst < 0x7f800000u;
}
