/* A graph of the user's own: the pairs of a file (platforms/peers/pairs_file.h). */
#include "platforms/peers/neighbours.h"
#include "platforms/peers/peer_edges.h"

static const struct frs_param params[] = {
    {.key = "file",
        .type = FRS_TEXT,
        .initial = NULL,
        .is_path = true,
        .help = "CSV file with the columns client and neighbour: a row for each pair, in whichever order"},
    {0},
};

static void connect(const struct frs_neighbours_settings *settings, uint32_t n, struct frs_rng *rng,
    struct frs_peer_edges *edges) {
    (void)n, (void)rng;
    for (size_t i = 0; i < settings->n_pairs; i++)
        frs_peer_edges_add(edges, settings->pairs[2 * i], settings->pairs[2 * i + 1]);
}

const struct frs_neighbourhood frs_neighbours_file = {
    .plugin = {.name = "file", .summary = "the pairs of clients of a file", .source = "-", .params = params},
    .of_clients = true,
    .connect = connect,
};
