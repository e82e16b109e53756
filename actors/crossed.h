/* Crossed: the whole bytes of a message that are on the other side when it breaks off. */
#ifndef FRS_ACTORS_CROSSED_H
#define FRS_ACTORS_CROSSED_H

#include "actors/participation.h"

/* Whole bytes that have crossed of a message that gets as far as this share of its bytes. */
uint64_t frs_crossed_share(double share, uint64_t bytes);

/* Returns the bytes that have crossed since this try at the message began, in the running step and those
 * before it; received_bytes: those of the running step. */
uint64_t frs_crossed_bytes(
    const struct frs_participation *participation, double now_s, double received_bytes);

/* What has crossed of what is under way, if anything is. */
void frs_crossed_note(struct frs_participation *participation, uint64_t bytes);

/* NULL: the connection is the first one. */
static inline struct frs_break *frs_last_break(struct frs_participation *participation) {
    return participation->n_breaks > 0 ? &participation->breaks[participation->n_breaks - 1] : NULL;
}

#endif
