/* Traffic of pairwise masks, in closed form: the bits of every message of a client, without dropout.
 *
 * With f = degree + 1 clients whose shares a client holds (itself among them), and m numbers of w bits:
 *
 *   KEYS       2·key                            ROSTER     degree · (id + 2·key)
 *   SHARES     degree · (id + 2·share + tag)    DELIVERY   degree · (id + 2·share + tag)
 *   MASKED     m·w                              SURVIVORS  f
 *   UNMASKING  f · share
 *
 * and a header each. Without headers, ids and tags, and with all clients neighbours (f = n), that is 2n·a_K +
 * (5n − 4)·a_S + n + m·⌈log2(n(R − 1) + 1)⌉, a_K and a_S being the lengths of a key and of a share.
 *
 * Source: Bonawitz et al. 2017, section 7.1. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_MASK_TRAFFIC_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_MASK_TRAFFIC_H

#include "algorithms/privacy/masks/mask_messages.h"

/* In bits. */
struct frs_mask_sizes {
    size_t header, id, key, share, tag;
    bool whole_bytes; /* every message is filled up to whole bytes */
};

/* What mask_messages.h writes: header 128, id 32, key 256, share 256, tag 128. */
extern const struct frs_mask_sizes frs_mask_own_sizes;
/* What is counted in the paper: key 256, share 256. */
extern const struct frs_mask_sizes frs_mask_published_sizes;

/* The bits of one message of this kind; m numbers of w bits. */
uint64_t frs_mask_message_bits(
    const struct frs_mask_sizes *sizes, enum frs_mask_kind kind, size_t degree, size_t m, unsigned w);

/* Bits of all messages of a client, both ways. */
uint64_t frs_mask_client_bits(const struct frs_mask_sizes *sizes, size_t degree, size_t m, unsigned w);

#endif
