#include "algorithms/privacy/masks/mask.h"

#include <sodium/crypto_stream_chacha20.h>
#include <string.h>

#define AHEAD 1024u /* numbers, whole blocks of the stream */
#define BLOCK_BYTES 64u

enum { NUMBERS, BYTES };

static void write_nonce(
    uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES], uint32_t round, uint8_t purpose) {
    memset(nonce, 0, crypto_stream_chacha20_ietf_NONCEBYTES);
    nonce[0] = purpose;
    for (size_t i = 0; i < 4; i++)
        nonce[4 + i] = (uint8_t)(round >> 8 * i);
}

void frs_mask_add(uint32_t *numbers, size_t n, const uint8_t seed[FRS_KEY_BYTES], uint32_t round, int sign) {
    static const uint8_t zeros[AHEAD * sizeof(uint32_t)];
    uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
    uint32_t stream[AHEAD];
    write_nonce(nonce, round, NUMBERS);
    for (size_t at = 0; at < n; at += AHEAD) {
        size_t n_ahead = n - at < AHEAD ? n - at : AHEAD;
        crypto_stream_chacha20_ietf_xor_ic((uint8_t *)stream, zeros, n_ahead * sizeof *stream, nonce,
            (uint32_t)(at * sizeof *stream / BLOCK_BYTES), seed);
        for (size_t i = 0; i < n_ahead; i++)
            numbers[at + i] += sign < 0 ? -stream[i] : stream[i];
    }
}

void frs_mask_reduce(uint32_t *numbers, size_t n, unsigned bits) {
    uint32_t lower = (uint32_t)(((uint64_t)1 << bits) - 1);
    for (size_t i = 0; i < n; i++)
        numbers[i] &= lower;
}

void frs_mask_bytes(uint8_t *bytes, size_t n, const uint8_t seed[FRS_KEY_BYTES], uint32_t round) {
    uint8_t nonce[crypto_stream_chacha20_ietf_NONCEBYTES];
    write_nonce(nonce, round, BYTES);
    crypto_stream_chacha20_ietf(bytes, n, nonce, seed);
}
