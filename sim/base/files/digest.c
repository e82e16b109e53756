#include "sim/base/files/digest.h"
#include "sim/base/errors.h"

#include <sodium/core.h>
#include <string.h>

struct frs_digester frs_digester_init(void) {
    struct frs_digester digester;
    FRS_INVARIANT(sodium_init() >= 0, "libsodium does not start"); /* it looks what the processor has, once */
    crypto_generichash_init(&digester.state, NULL, 0, FRS_DIGEST_BYTES);
    return digester;
}

void frs_digester_add(struct frs_digester *digester, const void *bytes, size_t n) {
    if (n > 0)
        crypto_generichash_update(&digester->state, bytes, n);
}

void frs_digester_add_text(struct frs_digester *digester, const char *text) {
    frs_digester_add(digester, text, strlen(text) + 1);
}

void frs_digester_add_u64(struct frs_digester *digester, uint64_t value) {
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
    frs_digester_add(digester, bytes, sizeof bytes);
}

struct frs_digest frs_digester_finish(struct frs_digester *digester) {
    struct frs_digest digest;
    crypto_generichash_final(&digester->state, digest.bytes, sizeof digest.bytes);
    return digest;
}

char *frs_digest_text(const struct frs_digest *digest, char text[FRS_DIGEST_TEXT]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < FRS_DIGEST_BYTES; i++) {
        text[2 * i] = digits[digest->bytes[i] >> 4];
        text[2 * i + 1] = digits[digest->bytes[i] & 15];
    }
    text[2 * FRS_DIGEST_BYTES] = '\0';
    return text;
}
