/* One client's part in a round of pairwise masks: the message of each phase follows from that of the
 * previous one (mask_round.h). */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_MASK_CLIENT_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_MASK_CLIENT_H

#include "algorithms/privacy/masks/mask_round.h"
#include "sim/base/numbers/rng.h"

struct frs_mask_client;

/* The client at this place of the cohort. Its keys and seeds are drawn from rng. `round` outlives it. */
struct frs_mask_client *frs_mask_client_create(
    const struct frs_mask_round *round, uint32_t place, struct frs_rng rng);
void frs_mask_client_destroy(struct frs_mask_client *client);

/* Called in this order, each at most once. False: the message is malformed, or the client gives up and
 * then counts as dropped out. It gives up if too few neighbours are left, or too few survivors are
 * reported, to recover its secrets. */
void frs_mask_client_keys(struct frs_mask_client *client, struct frs_buffer *keys);
bool frs_mask_client_share(
    struct frs_mask_client *client, const struct frs_buffer *roster, struct frs_buffer *shares);
/* numbers [n_values] are masked where they lie. */
bool frs_mask_client_mask(struct frs_mask_client *client, const struct frs_buffer *delivery,
    uint32_t *numbers, struct frs_buffer *masked);
bool frs_mask_client_unmask(
    struct frs_mask_client *client, const struct frs_buffer *survivors, struct frs_buffer *unmasking);

const struct frs_mask_tally *frs_mask_client_tally(const struct frs_mask_client *client);

#endif
