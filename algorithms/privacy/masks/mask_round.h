/* A round of pairwise masks: what all its participants know, and what it costs.
 *
 * Each client u adds to its numbers a mask of its own and, for each neighbour v, a mask that both know:
 * one of them adds it, the other subtracts it. The server learns only the sum: masks of pairs cancel, and
 * it removes the others with secrets that clients have shared among their neighbours before.
 *
 *   1. KEYS → ROSTER        the server passes on the public keys of the clients that are present
 *   2. SHARES → DELIVERY    clients share their mask key and the seed of their own mask; the server passes
 *                           the shares on
 *   3. MASKED → SURVIVORS   clients send masked numbers; the server says whose have arrived
 *   4. UNMASKING            clients give a share of each survivor's seed, and of each dropped-out client's
 *                           key; never both of the same client
 *
 * A client may drop out in any phase. The round is abandoned when fewer than `threshold` shares of a
 * needed secret arrive. A phase ends for all before the next one begins: see mask_client.h and
 * mask_server.h.
 *
 * The server is honest but curious. Signatures, and the round in which clients compare what the server
 * told them, are left out, as in the paper's protocol for such a server.
 *
 * Source: Bonawitz et al. 2017, figure 4; neighbours: Bell et al. 2020. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_MASK_ROUND_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_MASK_ROUND_H

#include "algorithms/privacy/masks/mask_messages.h"
#include "algorithms/privacy/masks/neighbours.h"

struct frs_mask_round {
    struct frs_neighbours graph;
    uint32_t round;
    size_t threshold; /* shares that give a secret back */
    size_t n_values;  /* of each client */
    unsigned bits;    /* of a number on the wire */
};

/* So many shares of one secret out of degree + 1: the share of them, at least two. */
size_t frs_mask_threshold(double share, size_t degree);

/* What was computed, by kind. */
struct frs_mask_tally {
    uint64_t agreements;     /* products on the curve, key pairs included */
    uint64_t masked_numbers; /* of masks, added or taken away */
    uint64_t share_steps;    /* products of a secret's 16 numbers with one */
    uint64_t weight_steps;   /* products of single numbers, for the weights of shares */
    uint64_t boxes;          /* sealed and opened */
};

#endif
