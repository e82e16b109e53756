/* Digest: names for contents (BLAKE2b-128, from libsodium). Equal digests mean equal contents. */
#ifndef FRS_BASE_DIGEST_H
#define FRS_BASE_DIGEST_H

#include <sodium/crypto_generichash.h>
#include <stddef.h>
#include <stdint.h>

enum { FRS_DIGEST_BYTES = 16, FRS_DIGEST_TEXT = 2 * FRS_DIGEST_BYTES + 1 };

struct frs_digest {
    uint8_t bytes[FRS_DIGEST_BYTES];
};

/* A digest that is being computed. Everything that is added forms one stream: a caller adds lengths where
 * two contents could be confused with a single longer one. */
struct frs_digester {
    crypto_generichash_state state;
};

struct frs_digester frs_digester_init(void);
void frs_digester_add(struct frs_digester *digester, const void *bytes, size_t n);
void frs_digester_add_text(struct frs_digester *digester, const char *text); /* with its final zero */
void frs_digester_add_u64(struct frs_digester *digester, uint64_t value);
struct frs_digest frs_digester_finish(struct frs_digester *digester);

/* Hexadecimal; returns `text`. */
char *frs_digest_text(const struct frs_digest *digest, char text[FRS_DIGEST_TEXT]);

#endif
