/* A ring: every client has the one before it and the one behind it as neighbours. Two clients have each
 * other. */
#include "platforms/peers/neighbours.h"
#include "platforms/peers/peer_edges.h"

static void connect(const struct frs_neighbours_settings *settings, uint32_t n, struct frs_rng *rng,
    struct frs_peer_edges *edges) {
    (void)settings, (void)rng;
    for (uint32_t i = 0; n > 1 && i < n; i++)
        frs_peer_edges_add(edges, i, (i + 1) % n);
}

const struct frs_neighbourhood frs_neighbours_ring = {
    .plugin = {.name = "ring",
        .summary = "every client has two neighbours, and all of them form one circle",
        .source = "Lian et al. 2017, section 6"},
    .connect = connect,
};
