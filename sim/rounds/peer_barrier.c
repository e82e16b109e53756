#include "sim/rounds/peer_barrier.h"
#include "actors/extremes.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

static bool becomes_ready(const struct frs_peer_member *member) {
    return !(member->dies_s < member->ready_s);
}

/* Lists the members of the part of the graph that has `first`; `list` has room for all. */
static uint32_t list_part(const struct frs_peer_graph *graph, uint32_t first, bool *seen, uint32_t *list) {
    uint32_t n = 0;
    list[n++] = first;
    seen[first] = true;
    for (uint32_t at = 0; at < n; at++)
        for (size_t k = graph->start[list[at]]; k < graph->start[list[at] + 1]; k++) {
            uint32_t peer = graph->peers[k];
            if (!seen[peer])
                list[n++] = peer;
            seen[peer] = true;
        }
    return n;
}

void frs_peer_barrier(const struct frs_peer_graph *graph, struct frs_peer_member *members, double detect_s) {
    bool *seen = frs_alloc((size_t)graph->n + 1, sizeof *seen);
    uint32_t *list = frs_alloc((size_t)graph->n + 1, sizeof *list);
    for (uint32_t first = 0; first < graph->n; first++) {
        if (seen[first])
            continue;
        uint32_t n = list_part(graph, first, seen, list);
        double opens_s = -INFINITY;
        for (uint32_t i = 0; i < n; i++) {
            const struct frs_peer_member *member = &members[list[i]];
            opens_s =
                frs_larger(opens_s, becomes_ready(member) ? member->ready_s : member->dies_s + detect_s);
        }
        for (uint32_t i = 0; i < n; i++)
            if (becomes_ready(&members[list[i]]))
                members[list[i]].ready_s = opens_s;
    }
    free(seen);
    free(list);
}
