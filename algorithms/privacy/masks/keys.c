#include "algorithms/privacy/masks/keys.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"

#include <sodium/core.h>
#include <sodium/crypto_aead_chacha20poly1305.h>
#include <sodium/crypto_generichash.h>
#include <sodium/crypto_scalarmult.h>
#include <string.h>

void frs_key_draw(struct frs_rng *rng, uint8_t key[FRS_KEY_BYTES]) {
    for (size_t i = 0; i < FRS_KEY_BYTES; i += 4) {
        uint32_t word = frs_rng_u32(rng);
        for (size_t k = 0; k < 4; k++)
            key[i + k] = (uint8_t)(word >> 8 * k);
    }
}

/* Before its first pair of keys, from which all else follows, the library chooses the fastest code for
 * this processor. */
struct frs_key_pair frs_key_pair_of(const uint8_t secret[FRS_KEY_BYTES]) {
    struct frs_key_pair pair;
    FRS_INVARIANT(sodium_init() >= 0, "libsodium does not start");
    memcpy(pair.secret, secret, FRS_KEY_BYTES);
    crypto_scalarmult_base(pair.public, pair.secret);
    return pair;
}

bool frs_key_agree(
    const struct frs_key_pair *own, const uint8_t other[FRS_KEY_BYTES], uint8_t agreed[FRS_KEY_BYTES]) {
    uint8_t point[3 * FRS_KEY_BYTES];
    bool first = memcmp(own->public, other, FRS_KEY_BYTES) < 0;
    if (crypto_scalarmult(point, own->secret, other) != 0)
        return false;
    memcpy(point + FRS_KEY_BYTES, first ? own->public : other, FRS_KEY_BYTES);
    memcpy(point + 2 * FRS_KEY_BYTES, first ? other : own->public, FRS_KEY_BYTES);
    crypto_generichash(agreed, FRS_KEY_BYTES, point, sizeof point, NULL, 0);
    return true;
}

/* The address is the nonce. */
static void write_address(
    const struct frs_box_address *address, uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES]) {
    const uint32_t words[] = {address->round, address->from, address->to};
    for (size_t i = 0; i < crypto_aead_chacha20poly1305_ietf_NPUBBYTES; i++)
        nonce[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
}

void frs_box_seal(const uint8_t key[FRS_KEY_BYTES], const struct frs_box_address *address,
    const uint8_t *plain, size_t n, uint8_t *box) {
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    write_address(address, nonce);
    crypto_aead_chacha20poly1305_ietf_encrypt(box, NULL, plain, n, NULL, 0, NULL, nonce, key);
}

bool frs_box_open(const uint8_t key[FRS_KEY_BYTES], const struct frs_box_address *address, const uint8_t *box,
    size_t n, uint8_t *plain) {
    uint8_t nonce[crypto_aead_chacha20poly1305_ietf_NPUBBYTES];
    write_address(address, nonce);
    return crypto_aead_chacha20poly1305_ietf_decrypt(
               plain, NULL, NULL, box, n + FRS_BOX_TAG_BYTES, NULL, 0, nonce, key) == 0;
}
