/* How far each client has progressed in a round of pairwise masks, and whether that is enough: without
 * keys and masks, for callers that need only messages and times. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_MASK_STANDING_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_MASK_STANDING_H

#include "algorithms/privacy/masks/mask_round.h"

/* What of a client has come in. */
enum frs_mask_reached {
    FRS_REACHED_NOTHING,
    FRS_REACHED_KEYS,
    FRS_REACHED_SHARES,
    FRS_REACHED_MASKED,
    FRS_REACHED_UNMASKING,
};

/* The number of a client's neighbours that have come at least so far. */
size_t frs_mask_neighbours_at(const struct frs_mask_round *round, const enum frs_mask_reached *reached,
    size_t place, enum frs_mask_reached least);

/* Whether a client goes on, given how far its neighbours have progressed: together with itself they hold
 * enough shares of its secrets. */
bool frs_mask_goes_on(const struct frs_mask_round *round, const enum frs_mask_reached *reached, size_t place,
    enum frs_mask_reached least);

/* Whether a secret of a client is needed to unmask the sum: the sum contains its numbers, or those of
 * neighbours that masked with it. */
bool frs_mask_is_needed(
    const struct frs_mask_round *round, const enum frs_mask_reached *reached, size_t place);

/* Once masked numbers have come in: whether their senders are connected, so that there is one sum. */
bool frs_mask_is_one_sum(const struct frs_mask_round *round, const enum frs_mask_reached *reached);

/* At the end: whether there is one sum, and every needed secret can be recovered. */
bool frs_mask_can_unmask(const struct frs_mask_round *round, const enum frs_mask_reached *reached);

/* What a client computes for the message of this kind (KEYS, SHARES, MASKED or UNMASKING), with this many
 * neighbours in it; and what the server computes to unmask the sum. */
struct frs_mask_tally frs_mask_client_work(
    const struct frs_mask_round *round, enum frs_mask_kind kind, size_t n_neighbours);
struct frs_mask_tally frs_mask_server_work(
    const struct frs_mask_round *round, const enum frs_mask_reached *reached);

#endif
