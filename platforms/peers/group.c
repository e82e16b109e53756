/* Groups of degree + 1 clients, which are all neighbours of each other. The last group has what is left over;
 * a client that would be alone joins the group before. */
#include "platforms/peers/neighbours.h"
#include "platforms/peers/peer_edges.h"

static const struct frs_param params[] = {
    FRS_NEIGHBOURS_DEGREE_PARAM("4", "neighbours of a client: a group has one client more than that"),
    {0},
};

static void connect(const struct frs_neighbours_settings *settings, uint32_t n, struct frs_rng *rng,
    struct frs_peer_edges *edges) {
    (void)rng;
    uint64_t size = (uint64_t)settings->degree + 1;
    for (uint64_t first = 0; first < n; first += size) {
        uint64_t end = first + size;
        if (end + 1 >= n) {
            end = n;
            size = n; /* the last group */
        }
        for (uint64_t i = first; i < end; i++)
            for (uint64_t j = i + 1; j < end; j++)
                frs_peer_edges_add(edges, (uint32_t)i, (uint32_t)j);
    }
}

const struct frs_neighbourhood frs_neighbours_group = {
    .plugin = {.name = "group",
        .summary = "groups of degree + 1 clients, in which all are neighbours of each other",
        .source = "Ryabinin et al. 2021 (Moshpit SGD)",
        .params = params},
    .has_degree = true,
    .connect = connect,
};
