/* Messages of pairwise masks: their format and size in bytes. Little-endian throughout.
 *
 *   every message   magic u16 · kind u8 · 0 u8 · round u32 · party u32 · count u32
 *   KEYS            client → server, count 1: the public keys that boxes and masks are made with, 32
 *                   bytes each
 *   ROSTER          server → client: for each neighbour that is present, ascending: place u32 · both keys
 *   SHARES          client → server: for each of these: place u32 · box of the two shares it is to hold
 *   DELIVERY        server → client: for each neighbour that sent shares, ascending: its place u32 ·
 *                   the box for this client
 *   MASKED          client → server: count numbers of the sum's bits each, without gaps
 *   SURVIVORS       server → client: a bit for each client whose shares it holds, itself first and then
 *                   in the order of its delivery: 1 where the masked numbers arrived
 *   UNMASKING       client → server: for each of these one share: of the seed of its own mask where it
 *                   survived, of the key its masks were agreed with where it did not
 *
 * `party` is the client, by its place in the cohort. A box holds the share of the key, the share of the
 * seed, and a tag. Every message is checked: kind, round, party, count, places that ascend below the
 * cohort's size, and the exact number of bytes. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_MASK_MESSAGES_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_MASK_MESSAGES_H

#include "algorithms/privacy/masks/keys.h"
#include "algorithms/privacy/masks/shamir.h"
#include "sim/base/buffer.h"

enum frs_mask_kind {
    FRS_MASK_KEYS = 1,
    FRS_MASK_ROSTER,
    FRS_MASK_SHARES,
    FRS_MASK_DELIVERY,
    FRS_MASK_MASKED,
    FRS_MASK_SURVIVORS,
    FRS_MASK_UNMASKING,
    FRS_N_MASK_KINDS,
};

/* What a client is known by. */
struct frs_mask_keys {
    uint8_t box[FRS_KEY_BYTES], mask[FRS_KEY_BYTES];
};

/* What one client holds of another. */
struct frs_mask_shares {
    uint8_t key[FRS_SECRET_BYTES], seed[FRS_SECRET_BYTES];
};

#define FRS_MASK_BOX_BYTES (sizeof(struct frs_mask_shares) + FRS_BOX_TAG_BYTES)

/* A client of a roster; and a box to or from a client. */
struct frs_mask_member {
    uint32_t place;
    struct frs_mask_keys keys;
};
struct frs_mask_box {
    uint32_t place;
    uint8_t bytes[FRS_MASK_BOX_BYTES];
};

/* What both ends know of a message. */
struct frs_mask_context {
    uint32_t round, party;
    size_t n_clients; /* places are below */
};

void frs_mask_put_keys(
    struct frs_buffer *out, const struct frs_mask_context *of, const struct frs_mask_keys *keys);
void frs_mask_put_roster(struct frs_buffer *out, const struct frs_mask_context *of,
    const struct frs_mask_member *members, size_t n);
/* kind: SHARES or DELIVERY. */
void frs_mask_put_boxes(struct frs_buffer *out, const struct frs_mask_context *of, enum frs_mask_kind kind,
    const struct frs_mask_box *boxes, size_t n);
/* Every number below 2^bits. */
void frs_mask_put_masked(struct frs_buffer *out, const struct frs_mask_context *of, const uint32_t *numbers,
    size_t n, unsigned bits);
void frs_mask_put_survivors(
    struct frs_buffer *out, const struct frs_mask_context *of, const bool *survived, size_t n);
void frs_mask_put_unmasking(struct frs_buffer *out, const struct frs_mask_context *of,
    const uint8_t (*shares)[FRS_SECRET_BYTES], size_t n);

/* Reads the whole message. False where it is not what `put` writes in this context. A roster and boxes
 * have at most `most` entries, and their number is written to *n; the other messages have exactly n. */
bool frs_mask_take_keys(
    const struct frs_buffer *in, const struct frs_mask_context *of, struct frs_mask_keys *keys);
bool frs_mask_take_roster(const struct frs_buffer *in, const struct frs_mask_context *of,
    struct frs_mask_member *members, size_t most, size_t *n);
bool frs_mask_take_boxes(const struct frs_buffer *in, const struct frs_mask_context *of,
    enum frs_mask_kind kind, struct frs_mask_box *boxes, size_t most, size_t *n);
bool frs_mask_take_masked(const struct frs_buffer *in, const struct frs_mask_context *of, uint32_t *numbers,
    size_t n, unsigned bits);
bool frs_mask_take_survivors(
    const struct frs_buffer *in, const struct frs_mask_context *of, bool *survived, size_t n);
bool frs_mask_take_unmasking(const struct frs_buffer *in, const struct frs_mask_context *of,
    uint8_t (*shares)[FRS_SECRET_BYTES], size_t n);

#endif
