/* Layer exchange: clients of a round that exchange layers with each other, group by group, between their
 * download and their training (SemiDFEGL; docs/topologies.md).
 *
 * Like that of gossip (peers.h) it depends on the participations of the round alone, so it is played as a
 * whole when the round opens (actors/peers/group_layers.h), and every participation then follows its part of
 * it. */
#ifndef FRS_ROUNDS_LAYER_EXCHANGE_H
#define FRS_ROUNDS_LAYER_EXCHANGE_H

#include "actors/participation.h"
#include "algorithms/learner.h"
#include "sim/rounds/open_rows.h"
#include "sim/setup/setup.h"

struct frs_layer_exchanges;

/* NULL: the method has no such exchange. */
struct frs_layer_exchanges *frs_layer_exchanges_create(const struct frs_setup *setup);
void frs_layer_exchanges_destroy(struct frs_layer_exchanges *exchanges);

/* What a round's participations bring, [n] each. */
struct frs_layer_opening {
    struct frs_participation *const *list; /* ascending client id; their downloads are known */
    const uint32_t *groups;                /* counted from 1, 0: none */
    size_t n;
    double starts_s; /* when the server has encoded what they are sent */
    /* The time that so many operations take a client beside its training. */
    double (*work_s)(const void *context, const struct frs_participation *p, double flop);
    const void *context;
};

/* Plans the exchanges of a round, and fills in plan.peers. Returns who does not hear of whom, [*n], which is
 * valid until the next round. */
const struct frs_unheard *frs_layer_exchanges_plan(
    struct frs_layer_exchanges *exchanges, const struct frs_layer_opening *opening, size_t *n);

/* The round has ended: fills in which of its bytes were of use, and the row has its messages. */
void frs_layer_exchanges_close(struct frs_layer_exchanges *exchanges, struct frs_row *row);

#endif
