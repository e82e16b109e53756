/* Own models: the sum of a round in which every client has trained from a model of its own
 * (algorithms/correction.h, `shorten`), as the change that leads from the server's tables to it.
 *
 * Client i's model x_i is the base of its contribution, (t − τ_i) its `rounds`. Where means are by row, those
 * of a row are over the clients that sent it, and rows that no client sent stay as the server has them.
 * Otherwise they are over all clients, and rows that a client did not send are those of its x_i. */
#ifndef FRS_ALGORITHMS_OWN_MODELS_H
#define FRS_ALGORITHMS_OWN_MODELS_H

#include "algorithms/contribution.h"
#include "algorithms/correction.h"
#include "algorithms/model.h"

struct frs_own_models {
    struct frs_model *model;
    const struct frs_correction *correction;
    const void *state;            /* of the correction */
    double rate;                  /* η */
    const struct frs_part *parts; /* [n_parts] of uploads, */
    size_t n_parts;               /* which are the shared tables */
};

/* Fills in the parts of *one: the rows that move, ascending, in the arena. n is at least 1. */
void frs_own_models_take(const struct frs_own_models *own, const struct frs_contribution *contributions,
    size_t n, struct frs_arena *arena, struct frs_contribution *one);

#endif
