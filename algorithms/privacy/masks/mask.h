/* Mask: the stream of random numbers of one seed (ChaCha20), which one side adds and the other subtracts.
 *
 * Numbers are added modulo 2^32. Where a sum is sent modulo a smaller power of two, its lower bits are
 * still right. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_MASK_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_MASK_H

#include "algorithms/privacy/masks/keys.h"

/* numbers[i] += sign · the i-th number of the stream of this seed and round; sign is 1 or −1. */
void frs_mask_add(uint32_t *numbers, size_t n, const uint8_t seed[FRS_KEY_BYTES], uint32_t round, int sign);

/* numbers[i] modulo 2^bits, as they are sent; bits ≤ 32. */
void frs_mask_reduce(uint32_t *numbers, size_t n, unsigned bits);

/* `n` bytes of a stream of its own. */
void frs_mask_bytes(uint8_t *bytes, size_t n, const uint8_t seed[FRS_KEY_BYTES], uint32_t round);

#endif
