/* Peers: a round without a server. Who has which neighbours, what their messages take, and whose models each
 * of them averages (docs/gossip.md).
 *
 * The exchange of a round depends on its participations alone, so it is simulated as a whole when the round
 * opens (actors/peers/exchange.h), and every participation then follows its part of it. */
#ifndef FRS_ROUNDS_PEERS_H
#define FRS_ROUNDS_PEERS_H

#include "actors/participation.h"
#include "algorithms/training/mixing_plan.h"
#include "sim/rounds/open_rows.h"
#include "sim/setup/setup.h"

struct frs_peers;

/* NULL: there is a server. */
struct frs_peers *frs_peers_create(const struct frs_setup *setup);
void frs_peers_destroy(struct frs_peers *peers);

/* Operations of what a client makes of its model before it sends that, beside training. */
double frs_peers_tell_flop(const struct frs_peers *peers);

/* What the exchange has to know of the computing of a participation: when it starts and how long it takes. */
struct frs_peer_computing {
    double start_s, work_s;
};

/* Plans the exchange of a round with these participations, ascending client id, and fills in plan.peers.
 * mix_s: the time that averaging takes a client beside its computing, for so many operations. */
void frs_peers_plan(struct frs_peers *peers, struct frs_participation *const *list,
    const struct frs_peer_computing *computing, size_t n,
    double (*mix_s)(const void *context, const struct frs_participation *p, double flop),
    const void *context);

/* The round has ended: fills in which of its bytes were of use. handles[i]: of list[i]. Returns the plan of
 * its averages, valid until the next round. */
const struct frs_mixing_plan *frs_peers_close(struct frs_peers *peers, const size_t *handles);

/* After that: the row has the messages of the round. */
void frs_peers_note(const struct frs_peers *peers, struct frs_row *row);

#endif
