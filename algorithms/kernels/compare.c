#include "algorithms/kernels/compare.h"
#include "sim/base/numbers/clones.h"

#include <float.h>
#include <math.h>
#include <string.h>

FRS_CLONES size_t frs_rows_changed(
    const uint8_t *table, const float *base, size_t n_rows, size_t dim, uint32_t *ids) {
    size_t n = 0;
    for (size_t row = 0; row < n_rows; row++) {
        const uint8_t *a = table + row * dim * sizeof(float);
        const uint8_t *b = base ? (const uint8_t *)(base + row * dim) : NULL;
        uint32_t difference = 0;
        for (size_t k = 0; k < dim; k++) {
            uint32_t x, y = 0;
            memcpy(&x, a + 4 * k, 4);
            if (base)
                memcpy(&y, b + 4 * k, 4);
            difference |= x ^ y;
        }
        ids[n] = (uint32_t)row;
        n += difference != 0;
    }
    return n;
}

FRS_CLONES void frs_row_difference(const float *row, const float *base, size_t dim, float *out) {
    for (size_t i = 0; i < dim; i++) {
        float difference = base ? row[i] - base[i] : row[i];
        out[i] = fabsf(difference) <= FLT_MAX ? difference : 0;
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
