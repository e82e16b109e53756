#include "algorithms/privacy/masks/shamir.h"
#include "sim/base/errors.h"

#include <string.h>

#define REDUCTION 0x100bu /* x^16 = x^12 + x^3 + x + 1 */

static uint16_t times_x(uint16_t a) {
    return (uint16_t)((unsigned)a << 1 ^ (-((unsigned)a >> 15) & REDUCTION));
}

/* sum = sum · factor + addend, number by number: from the highest bit of the factor down. */
static void multiply_add(uint16_t sum[FRS_SECRET_NUMBERS], uint16_t factor, const uint16_t *addend) {
    uint16_t product[FRS_SECRET_NUMBERS] = {0};
    for (int bit = factor ? 31 - __builtin_clz(factor) : -1; bit >= 0; bit--) {
        uint16_t taken = (uint16_t) - (factor >> bit & 1);
        for (size_t i = 0; i < FRS_SECRET_NUMBERS; i++)
            product[i] = times_x(product[i]) ^ (sum[i] & taken);
    }
    for (size_t i = 0; i < FRS_SECRET_NUMBERS; i++)
        sum[i] = product[i] ^ addend[i];
}

uint16_t frs_field_product(uint16_t a, uint16_t b) {
    uint16_t product = 0;
    for (int bit = 15; bit >= 0; bit--)
        product = times_x(product) ^ (b >> bit & 1 ? a : 0);
    return product;
}

/* a^(2^16 − 2). */
uint16_t frs_field_inverse(uint16_t a) {
    FRS_INVARIANT(a != 0, "zero has no inverse");
    uint16_t inverse = 1, power = a;
    for (int bit = 1; bit < 16; bit++) {
        power = frs_field_product(power, power);
        inverse = frs_field_product(inverse, power);
    }
    return inverse;
}

static uint16_t place_of(uint32_t holder) {
    FRS_INVARIANT(holder < UINT16_MAX, "holder %u has no share", holder);
    return (uint16_t)(holder + 1);
}

void frs_shamir_share(const uint8_t secret[FRS_SECRET_BYTES], const uint8_t *coefficients, size_t threshold,
    const uint32_t *holders, size_t n, uint8_t (*shares)[FRS_SECRET_BYTES]) {
    for (size_t h = 0; h < n; h++) {
        uint16_t value[FRS_SECRET_NUMBERS] = {0}, coefficient[FRS_SECRET_NUMBERS];
        for (size_t degree = threshold; degree-- > 0;) {
            memcpy(coefficient, degree > 0 ? coefficients + (degree - 1) * FRS_SECRET_BYTES : secret,
                FRS_SECRET_BYTES);
            multiply_add(value, place_of(holders[h]), coefficient);
        }
        memcpy(shares[h], value, FRS_SECRET_BYTES);
    }
}

/* Lagrange's polynomials at 0: Π x_j / (x_j − x_i), and a difference is a sum here. */
void frs_shamir_weights(const uint32_t *holders, size_t n, uint16_t *weights) {
    for (size_t i = 0; i < n; i++) {
        uint16_t above = 1, below = 1;
        for (size_t j = 0; j < n; j++) {
            if (j == i)
                continue;
            above = frs_field_product(above, place_of(holders[j]));
            below = frs_field_product(below, place_of(holders[j]) ^ place_of(holders[i]));
        }
        weights[i] = frs_field_product(above, frs_field_inverse(below));
    }
}

void frs_shamir_add(
    uint8_t secret[FRS_SECRET_BYTES], uint16_t weight, const uint8_t share[FRS_SECRET_BYTES]) {
    uint16_t part[FRS_SECRET_NUMBERS], sum[FRS_SECRET_NUMBERS];
    memcpy(part, share, FRS_SECRET_BYTES);
    memcpy(sum, secret, FRS_SECRET_BYTES);
    multiply_add(part, weight, sum);
    memcpy(secret, part, FRS_SECRET_BYTES);
}
