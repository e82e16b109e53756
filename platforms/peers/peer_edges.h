/* Peer edges: the edges of a graph while it is being made. Each is there once, with the smaller place first,
 * and none joins a place to itself. */
#ifndef FRS_PLATFORMS_PEERS_PEER_EDGES_H
#define FRS_PLATFORMS_PEERS_PEER_EDGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: there are none. */
struct frs_peer_edges {
    uint32_t (*ends)[2]; /* [n] */
    size_t n, capacity;
};

/* The two places differ. An edge that is there already is added again (frs_peer_edges_sort drops it). */
void frs_peer_edges_add(struct frs_peer_edges *edges, uint32_t a, uint32_t b);

/* Sorts by the first place, then the second, and drops what is there twice. */
void frs_peer_edges_sort(struct frs_peer_edges *edges);

void frs_peer_edges_fini(struct frs_peer_edges *edges);

#endif
