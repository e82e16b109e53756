/* Keys of pairwise masks (libsodium): X25519 agreements, and boxes that only the other of a pair can open
 * (ChaCha20-Poly1305).
 *
 * Keys are drawn from the run's counter-based streams, so that results are the same every time. The seed of a
 * run determines all of its keys: this is for simulation, and protects no data. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_KEYS_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_rng;

#define FRS_KEY_BYTES 32u
#define FRS_BOX_TAG_BYTES 16u

struct frs_key_pair {
    uint8_t secret[FRS_KEY_BYTES], public[FRS_KEY_BYTES];
};

void frs_key_draw(struct frs_rng *rng, uint8_t key[FRS_KEY_BYTES]);

/* The key pair with this secret. */
struct frs_key_pair frs_key_pair_of(const uint8_t secret[FRS_KEY_BYTES]);

/* Computes the secret that only the two of a pair know: the digest of their agreement and both public
 * keys, which is the same on either side. False where the other key is invalid (a point of low order). */
bool frs_key_agree(
    const struct frs_key_pair *own, const uint8_t other[FRS_KEY_BYTES], uint8_t agreed[FRS_KEY_BYTES]);

/* What is only to be opened in this round, from this client to that one. */
struct frs_box_address {
    uint32_t round, from, to;
};

/* box [n + FRS_BOX_TAG_BYTES] of plain [n]; a key serves each address once. */
void frs_box_seal(const uint8_t key[FRS_KEY_BYTES], const struct frs_box_address *address,
    const uint8_t *plain, size_t n, uint8_t *box);
/* plain [n] of box; false where it is not what `seal` made with this key for this address. */
bool frs_box_open(const uint8_t key[FRS_KEY_BYTES], const struct frs_box_address *address, const uint8_t *box,
    size_t n, uint8_t *plain);

#endif
