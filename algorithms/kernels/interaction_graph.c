#include "algorithms/kernels/interaction_graph.h"
#include "algorithms/kernels/lanes.h"
#include "sim/base/memory.h"

#ifndef FRS_LEVEL
#include <math.h>
#include <stdlib.h>

struct frs_interaction_graph frs_interaction_graph_create(
    size_t n_users, size_t n_items, const uint32_t *const *items, const size_t *n, size_t pitch) {
    struct frs_interaction_graph graph = {.n_nodes = n_users + n_items,
        .pitch = pitch,
        .start = frs_alloc(n_users + n_items + 1, sizeof *graph.start),
        .weights = frs_alloc(n_users + n_items, sizeof *graph.weights),
        .scaled = frs_alloc_aligned((n_users + n_items) * pitch, sizeof *graph.scaled)};
    for (size_t u = 0; u < n_users; u++) {
        graph.start[u + 1] = n[u];
        for (size_t i = 0; i < n[u]; i++)
            graph.start[n_users + items[u][i] + 1]++;
    }
    for (size_t node = 0; node < graph.n_nodes; node++) {
        size_t degree = graph.start[node + 1];
        graph.weights[node] = degree > 0 ? 1 / sqrtf((float)degree) : 0;
        graph.start[node + 1] += graph.start[node];
    }
    graph.nodes = frs_alloc(graph.start[graph.n_nodes], sizeof *graph.nodes);
    size_t *next = frs_alloc(graph.n_nodes, sizeof *next);
    for (size_t u = 0; u < n_users; u++)
        for (size_t i = 0; i < n[u]; i++) {
            size_t item = n_users + items[u][i];
            graph.nodes[graph.start[u] + next[u]++] = (uint32_t)item;
            graph.nodes[graph.start[item] + next[item]++] = (uint32_t)u;
        }
    free(next);
    return graph;
}

void frs_interaction_graph_fini(struct frs_interaction_graph *graph) {
    free(graph->start);
    free(graph->nodes);
    free(graph->weights);
    free(graph->scaled);
}
#endif

#define REGISTERS (FRS_LANES / FRS_WIDTH) /* of 16 columns */

/* scaled = D^(−1/2) x. */
FRS_INLINE void scale(const struct frs_interaction_graph *graph, const float *x) {
    for (size_t node = 0; node < graph->n_nodes; node++)
        for (size_t k = 0; k < graph->pitch; k += FRS_WIDTH)
            *frs_lanes_at(graph->scaled + node * graph->pitch + k) =
                graph->weights[node] * *frs_lanes_of(x + node * graph->pitch + k);
}

/* to = factor (from + P x), where `scaled` is D^(−1/2) x. */
FRS_INLINE void add_neighbours(
    const struct frs_interaction_graph *graph, const float *from, float factor, float *to) {
    size_t pitch = graph->pitch;
    for (size_t node = 0; node < graph->n_nodes; node++)
        for (size_t k = 0; k < pitch; k += FRS_LANES) {
            frs_lanes sum[REGISTERS] = {{0}};
            for (size_t i = graph->start[node]; i < graph->start[node + 1]; i++)
                for (size_t j = 0; j < REGISTERS; j++)
                    sum[j] += frs_lanes_of(graph->scaled + graph->nodes[i] * pitch + k)[j];
            for (size_t j = 0; j < REGISTERS; j++)
                frs_lanes_at(to + node * pitch + k)[j] =
                    factor * (frs_lanes_of(from + node * pitch + k)[j] + graph->weights[node] * sum[j]);
        }
}

/* By Horner's rule: x ← E + P x, `layers` times. */
FRS_KERNEL(void, frs_interaction_graph_mean,
    (const struct frs_interaction_graph *graph, size_t layers, const float *from, float *to)) {
    float mean = 1 / (float)(layers + 1);
    if (layers == 0)
        for (size_t i = 0; i < graph->n_nodes * graph->pitch; i++)
            to[i] = from[i];
    for (size_t layer = 1; layer <= layers; layer++) {
        scale(graph, layer == 1 ? from : to);
        add_neighbours(graph, from, layer == layers ? mean : 1, to);
    }
}
