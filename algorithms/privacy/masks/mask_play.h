/* A round of pairwise masks from end to end: every client and the server, every message written and read. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_MASK_PLAY_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_MASK_PLAY_H

#include "algorithms/privacy/masks/mask_standing.h"
#include "sim/base/numbers/rng.h"

struct frs_mask_play {
    const struct frs_mask_round *round;
    /* [n] How far each client gets: its later messages never arrive. A client that gives up gets no
     * further. */
    const enum frs_mask_reached *reached;
    uint32_t *const *numbers; /* [n][n_values] of clients that get to send them; masked where they lie */
    /* The stream a client's keys are drawn from. */
    struct frs_rng (*stream)(const void *context, uint32_t place);
    /* Called for every message that arrives; NULL: not called. */
    void (*seen)(
        const void *context, enum frs_mask_kind kind, uint32_t place, const struct frs_buffer *message);
    const void *context;
};

/* Whether there is a sum, which is written to `sums` [n_values]. Adds the work of clients and server. */
bool frs_mask_play(const struct frs_mask_play *play, uint32_t *sums, struct frs_mask_tally *clients,
    struct frs_mask_tally *server);

#endif
