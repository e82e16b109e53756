/* Neighbours: which clients exchange their models where there is no server between them (docs/gossip.md).
 *
 * A kind of graph is one file in platforms/peers/ with one constant `struct frs_neighbourhood`, and one line
 * in platforms/peers/neighbours.def. It connects places 0 … n−1 and knows no clients:
 * platforms/peers/peer_graph.h says which client has which place. */
#ifndef FRS_PLATFORMS_PEERS_NEIGHBOURS_H
#define FRS_PLATFORMS_PEERS_NEIGHBOURS_H

#include "sim/base/numbers/rng.h"
#include "sim/base/settings/param.h"
#include "sim/base/settings/plugin.h"

struct frs_peer_edges; /* platforms/peers/peer_edges.h */

/* Every kind says what it uses of it. */
struct frs_neighbours_settings {
    uint32_t degree; /* neighbours of a client, at least 1 */
    /* Pairs of clients from a file [2 · n_pairs]; the caller's. */
    const uint32_t *pairs;
    size_t n_pairs;
};

struct frs_neighbourhood {
    struct frs_plugin plugin;
    bool of_clients; /* places are clients: the graph cannot be drawn anew among those of a round */
    bool has_degree; /* reads the key `degree` */
    /* Adds the edges among n ≥ 1 places. */
    void (*connect)(const struct frs_neighbours_settings *settings, uint32_t n, struct frs_rng *rng,
        struct frs_peer_edges *edges);
};

extern const struct frs_plugin *frs_neighbours_plugins[FRS_REGISTRY_ROOM];

#define FRS_NEIGHBOURS_DEGREE_PARAM(default_, help_)                                                         \
    { .key = "degree", .type = FRS_INT, .initial = default_, .min = 1, .max = 1e6, .help = help_ }

#endif
