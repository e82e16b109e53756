/* The server's part in a round of pairwise masks (mask_round.h): it receives the messages of all clients
 * in a phase before it sends those that follow from them. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_MASK_SERVER_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_MASK_SERVER_H

#include "algorithms/privacy/masks/mask_round.h"

struct frs_mask_server;

/* `round` outlives it. */
struct frs_mask_server *frs_mask_server_create(const struct frs_mask_round *round);
void frs_mask_server_destroy(struct frs_mask_server *server);

/* Takes a message of the client at this place. False: it is malformed, the client was missing in the
 * previous phase, or the message has already arrived; the client then counts as dropped out. */
bool frs_mask_server_take_keys(
    struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message);
bool frs_mask_server_take_shares(
    struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message);
bool frs_mask_server_take_masked(
    struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message);
bool frs_mask_server_take_unmasking(
    struct frs_mask_server *server, uint32_t place, const struct frs_buffer *message);

/* What a client is sent that was there in the phase before. */
void frs_mask_server_roster(const struct frs_mask_server *server, uint32_t place, struct frs_buffer *out);
void frs_mask_server_delivery(const struct frs_mask_server *server, uint32_t place, struct frs_buffer *out);
void frs_mask_server_survivors(const struct frs_mask_server *server, uint32_t place, struct frs_buffer *out);

/* Whose masked numbers have arrived. */
size_t frs_mask_server_n_survivors(const struct frs_mask_server *server);

/* Whether the survivors are connected. Otherwise a server that follows the protocol requests no shares,
 * because it would read more than one sum. */
bool frs_mask_server_has_one_sum(const struct frs_mask_server *server);

/* sums [n_values], modulo 2^bits, over all survivors. False: the round is abandoned, because survivors are
 * not connected, a secret cannot be recovered, or the recovered key is not the expected one. */
bool frs_mask_server_unmask(struct frs_mask_server *server, uint32_t *sums);

const struct frs_mask_tally *frs_mask_server_tally(const struct frs_mask_server *server);

#endif
