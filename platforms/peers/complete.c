/* A complete graph: every client is a neighbour of every other one. */
#include "platforms/peers/neighbours.h"
#include "platforms/peers/peer_edges.h"

static void connect(const struct frs_neighbours_settings *settings, uint32_t n, struct frs_rng *rng,
    struct frs_peer_edges *edges) {
    (void)settings, (void)rng;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            frs_peer_edges_add(edges, i, j);
}

const struct frs_neighbourhood frs_neighbours_complete = {
    .plugin = {.name = "complete",
        .summary = "every client is a neighbour of every other one, which makes mixing the mean of all",
        .source = "Lian et al. 2017"},
    .connect = connect,
};
