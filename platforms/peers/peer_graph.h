/* Peer graph: who exchanges models with whom in a round.
 *
 * The graph is one for the whole run, over all clients, of which a round has those edges whose two ends take
 * part in it; or it is drawn anew in every round among the clients of that round, in a random order. */
#ifndef FRS_PLATFORMS_PEERS_PEER_GRAPH_H
#define FRS_PLATFORMS_PEERS_PEER_GRAPH_H

#include "platforms/peers/neighbours.h"

struct frs_peer_settings {
    const struct frs_neighbourhood *neighbours; /* NULL: clients exchange nothing with each other */
    struct frs_neighbours_settings settings;
    bool drawn_anew; /* in every round */
    uint64_t seed;
    uint32_t n_clients;
};

/* The neighbours of the n members of a round, which are numbered in their order. Zeroed: empty. */
struct frs_peer_graph {
    uint32_t n;
    size_t *start; /* [n + 1] */
    uint32_t
        *peers; /* [start[n]] members, those of each ascending: start[i] ≤ k < start[i + 1] of member i */
};

/* Draws the graph of a round among these clients, in ascending order. The same for the same arguments. */
struct frs_peer_graph frs_peer_graph_of_round(const struct frs_peer_settings *settings,
    const uint32_t *clients, uint32_t n, uint32_t round, uint32_t attempt);

void frs_peer_graph_fini(struct frs_peer_graph *graph);

static inline uint32_t frs_peer_graph_degree(const struct frs_peer_graph *graph, uint32_t member) {
    return (uint32_t)(graph->start[member + 1] - graph->start[member]);
}

#endif
