/* No neighbours: a server stands between the clients. */
#include "platforms/peers/neighbours.h"

static void connect(const struct frs_neighbours_settings *settings, uint32_t n, struct frs_rng *rng,
    struct frs_peer_edges *edges) {
    (void)settings, (void)n, (void)rng, (void)edges;
}

const struct frs_neighbourhood frs_neighbours_none = {
    .plugin = {.name = "none",
        .summary = "clients exchange nothing with each other: a server is in the middle",
        .source = "McMahan et al. 2017"},
    .connect = connect,
};
