/* A round of pairwise masks: what everybody knows who takes part in it, and what it costs.
 *
 * Each client u adds to its numbers a mask of its own, and with each neighbour v a mask that both know and
 * one of them adds, the other takes away. The server learns the sum alone: masks of pairs cancel, and those
 * left over it takes away with secrets that clients have shared out among their neighbours before.
 *
 *   1. KEYS → ROSTER        the server hands on the public keys of who is there
 *   2. SHARES → DELIVERY    clients share out their mask key and the seed of their own mask, and the server
 * hands that on
 *   3. MASKED → SURVIVORS   clients send masked numbers; the server says whose have arrived
 *   4. UNMASKING            of a survivor clients give a share of the seed, of somebody who vanished one of
 * the key; never of anybody both
 *
 * A client may vanish in any phase. The round is void when of a secret that is needed fewer than `threshold`
 * shares come in. A phase ends for all before the next one begins: see mask_client.h and mask_server.h.
 *
 * The server is taken to be honest but curious: signatures, and the round in which clients tell each other
 * what they were told, are left out, as in the paper's protocol for such a server.
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
