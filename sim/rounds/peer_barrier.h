/* Peer barrier: clients that exchange models wait for each other before the first of them sends
 * (peers.barrier, docs/gossip.md). */
#ifndef FRS_ROUNDS_PEER_BARRIER_H
#define FRS_ROUNDS_PEER_BARRIER_H

#include "actors/peers/exchange.h"
#include "platforms/peers/peer_graph.h"

/* Delays ready_s of every member until all members that it is connected to, directly or over others, have
 * computed, or have been lost for detect_s. A member that is lost after it has computed is waited for no
 * more: the others know that it has computed. */
void frs_peer_barrier(const struct frs_peer_graph *graph, struct frs_peer_member *members, double detect_s);

#endif
