#include "platforms/peers/peer_edges.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <stdlib.h>

void frs_peer_edges_add(struct frs_peer_edges *edges, uint32_t a, uint32_t b) {
    FRS_INVARIANT(a != b, "client %u is to be its own neighbour", a);
    edges->ends = frs_grow(edges->ends, edges->n + 1, &edges->capacity, sizeof *edges->ends);
    edges->ends[edges->n][0] = a < b ? a : b;
    edges->ends[edges->n++][1] = a < b ? b : a;
}

static int by_places(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    if (x[0] != y[0])
        return (x[0] > y[0]) - (x[0] < y[0]);
    return (x[1] > y[1]) - (x[1] < y[1]);
}

void frs_peer_edges_sort(struct frs_peer_edges *edges) {
    size_t n = 0;
    if (edges->n > 1)
        qsort(edges->ends, edges->n, sizeof *edges->ends, by_places);
    for (size_t i = 0; i < edges->n; i++) {
        if (n > 0 && by_places(edges->ends[n - 1], edges->ends[i]) == 0)
            continue;
        edges->ends[n][0] = edges->ends[i][0];
        edges->ends[n++][1] = edges->ends[i][1];
    }
    edges->n = n;
}

void frs_peer_edges_fini(struct frs_peer_edges *edges) {
    free(edges->ends);
    *edges = (struct frs_peer_edges){0};
}
