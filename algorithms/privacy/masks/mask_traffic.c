#include "algorithms/privacy/masks/mask_traffic.h"

const struct frs_mask_sizes frs_mask_own_sizes = {.header = 128,
    .id = 32,
    .key = 8 * FRS_KEY_BYTES,
    .share = 8 * FRS_SECRET_BYTES,
    .tag = 8 * FRS_BOX_TAG_BYTES,
    .whole_bytes = true};

const struct frs_mask_sizes frs_mask_published_sizes = {.key = 256, .share = 256};

static uint64_t content_bits(
    const struct frs_mask_sizes *sizes, enum frs_mask_kind kind, size_t degree, size_t m, unsigned w) {
    size_t held = degree + 1;
    switch (kind) {
    case FRS_MASK_KEYS:
        return 2 * sizes->key;
    case FRS_MASK_ROSTER:
        return degree * (sizes->id + 2 * sizes->key);
    case FRS_MASK_SHARES:
    case FRS_MASK_DELIVERY:
        return degree * (sizes->id + 2 * sizes->share + sizes->tag);
    case FRS_MASK_MASKED:
        return (uint64_t)m * w;
    case FRS_MASK_SURVIVORS:
        return held;
    case FRS_MASK_UNMASKING:
        return held * sizes->share;
    case FRS_N_MASK_KINDS:
        break;
    }
    return 0;
}

uint64_t frs_mask_message_bits(
    const struct frs_mask_sizes *sizes, enum frs_mask_kind kind, size_t degree, size_t m, unsigned w) {
    uint64_t bits = sizes->header + content_bits(sizes, kind, degree, m, w);
    return sizes->whole_bytes ? (bits + 7) / 8 * 8 : bits;
}

uint64_t frs_mask_client_bits(const struct frs_mask_sizes *sizes, size_t degree, size_t m, unsigned w) {
    uint64_t bits = 0;
    for (enum frs_mask_kind kind = FRS_MASK_KEYS; kind < FRS_N_MASK_KINDS; kind++)
        bits += frs_mask_message_bits(sizes, kind, degree, m, w);
    return bits;
}
