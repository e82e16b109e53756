/* Shamir's secret sharing: a secret in n shares; any `threshold` of them give it back, and fewer reveal
 * nothing.
 *
 * A secret of 32 bytes is 16 numbers of the field of 2^16 elements (polynomial x^16 + x^12 + x^3 + x + 1),
 * each the value at 0 of a polynomial of degree threshold − 1. The share of holder i has the values at i +
 * 1. So a share is as long as the secret, and there may be 65,535 holders. (Debian's libgfshare shares in
 * the field of 2^8, among 255.)
 *
 * Source: Shamir, "How to share a secret", CACM 1979. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_SHAMIR_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_SHAMIR_H

#include <stddef.h>
#include <stdint.h>

#define FRS_SECRET_BYTES 32u
#define FRS_SECRET_NUMBERS (FRS_SECRET_BYTES / 2)

/* A product in the field, and 1/a; a ≠ 0. */
uint16_t frs_field_product(uint16_t a, uint16_t b);
uint16_t frs_field_inverse(uint16_t a);

/* shares[i] is that of holders[i], which are all different. `coefficients` [(threshold − 1) × 32] are
 * random bytes; together with one share they reveal the secret. */
void frs_shamir_share(const uint8_t secret[FRS_SECRET_BYTES], const uint8_t *coefficients, size_t threshold,
    const uint32_t *holders, size_t n, uint8_t (*shares)[FRS_SECRET_BYTES]);

/* weights[i] is the weight of the share of holders[i] in the secret, where n is the threshold. The weights
 * are the same for all secrets of which these holders have shares. */
void frs_shamir_weights(const uint32_t *holders, size_t n, uint16_t *weights);

/* secret += weight · share, in the field: from zeros to the secret, share by share. */
void frs_shamir_add(uint8_t secret[FRS_SECRET_BYTES], uint16_t weight, const uint8_t share[FRS_SECRET_BYTES]);

#endif
