/* A round of pairwise masks from end to end, with clients that vanish when they are told to. */
#ifndef FRS_TESTS_ALGORITHMS_PRIVACY_MASKS_MASK_FIXTURE_H
#define FRS_TESTS_ALGORITHMS_PRIVACY_MASKS_MASK_FIXTURE_H

#include "algorithms/privacy/masks/mask_client.h"
#include "algorithms/privacy/masks/mask_play.h"
#include "algorithms/privacy/masks/mask_server.h"
#include "tests/algorithms/fixture.h"

/* What a client does not send any more. */
enum mask_vanishes { STAYS, BEFORE_KEYS, BEFORE_SHARES, BEFORE_MASKED, BEFORE_UNMASKING };

enum frs_mask_reached mask_reached(enum mask_vanishes vanishes);

struct mask_play {
    const struct frs_mask_round *round;
    const uint32_t *numbers;            /* [n × n_values] of each client */
    const enum mask_vanishes *vanishes; /* [n] */
    /* Called for every message; NULL: no call. */
    void (*seen)(void *context, enum frs_mask_kind kind, uint32_t place, const struct frs_buffer *message);
    void *context;
    /* Its results. */
    bool *survived;                     /* [n] masked numbers arrived; or NULL */
    struct frs_mask_tally client_tally; /* of all of them */
    struct frs_mask_tally server_tally;
};

/* n clients, of whom each masks with so many. Ended by frs_neighbours_fini of its graph. */
struct frs_mask_round mask_round(
    size_t n, size_t degree, double threshold, size_t n_values, unsigned bits, uint32_t seed);

/* Whether there is a sum, which is written to `sums` [n_values]. */
bool mask_play(struct mask_play *play, uint32_t *sums);

/* The plain sum of those who survived, modulo 2^bits. */
void mask_plain_sum(const struct mask_play *play, uint32_t *sums);

#endif
