#include "platforms/peers/peer_graph.h"
#include "platforms/peers/peer_edges.h"
#include "sim/base/memory.h"

#include <stdlib.h>

/* Edges ab and ba, ascending, of sorted edges. */
static struct frs_peer_graph graph_of(const struct frs_peer_edges *edges, uint32_t n) {
    struct frs_peer_graph graph = {.n = n};
    graph.start = frs_alloc((size_t)n + 1, sizeof *graph.start);
    graph.peers = frs_alloc(2 * edges->n + 1, sizeof *graph.peers);
    size_t *next = frs_alloc((size_t)n + 1, sizeof *next);
    for (size_t i = 0; i < edges->n; i++)
        for (int end = 0; end < 2; end++)
            graph.start[edges->ends[i][end] + 1]++;
    for (uint32_t i = 0; i < n; i++)
        graph.start[i + 1] += graph.start[i];
    for (uint32_t i = 0; i < n; i++)
        next[i] = graph.start[i];
    for (size_t i = 0; i < edges->n; i++) /* smaller ones first: their edges come before in the order */
        graph.peers[next[edges->ends[i][1]]++] = edges->ends[i][0];
    for (size_t i = 0; i < edges->n; i++)
        graph.peers[next[edges->ends[i][0]]++] = edges->ends[i][1];
    free(next);
    return graph;
}

static struct frs_rng stream(const struct frs_peer_settings *settings, uint32_t round, uint32_t attempt) {
    return frs_rng_stream(settings->seed, FRS_RNG_SERVER, round, attempt, FRS_RNG_PEERS);
}

/* The edges of the whole graph whose two ends are members. */
static struct frs_peer_edges edges_among(
    const struct frs_peer_settings *settings, const uint32_t *clients, uint32_t n) {
    struct frs_peer_edges all = {0}, among = {0};
    struct frs_rng rng = stream(settings, 0, 0);
    uint32_t *member = frs_alloc(settings->n_clients, sizeof *member); /* + 1; 0: it is none */
    for (uint32_t i = 0; i < n; i++)
        member[clients[i]] = i + 1;
    settings->neighbours->connect(&settings->settings, settings->n_clients, &rng, &all);
    for (size_t i = 0; i < all.n; i++) {
        uint32_t a = member[all.ends[i][0]], b = member[all.ends[i][1]];
        if (a > 0 && b > 0)
            frs_peer_edges_add(&among, a - 1, b - 1);
    }
    frs_peer_edges_fini(&all);
    free(member);
    return among;
}

static struct frs_peer_edges edges_anew(
    const struct frs_peer_settings *settings, uint32_t n, uint32_t round, uint32_t attempt) {
    struct frs_peer_edges edges = {0};
    struct frs_rng rng = stream(settings, round, attempt);
    uint32_t *order = frs_alloc(n, sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    frs_rng_shuffle(&rng, order, n);
    settings->neighbours->connect(&settings->settings, n, &rng, &edges);
    for (size_t i = 0; i < edges.n; i++) {
        uint32_t a = order[edges.ends[i][0]], b = order[edges.ends[i][1]];
        edges.ends[i][0] = a < b ? a : b;
        edges.ends[i][1] = a < b ? b : a;
    }
    free(order);
    return edges;
}

struct frs_peer_graph frs_peer_graph_of_round(const struct frs_peer_settings *settings,
    const uint32_t *clients, uint32_t n, uint32_t round, uint32_t attempt) {
    if (n == 0)
        return (struct frs_peer_graph){.start = frs_alloc(1, sizeof(size_t))};
    struct frs_peer_edges edges =
        settings->drawn_anew ? edges_anew(settings, n, round, attempt) : edges_among(settings, clients, n);
    frs_peer_edges_sort(&edges);
    struct frs_peer_graph graph = graph_of(&edges, n);
    frs_peer_edges_fini(&edges);
    return graph;
}

void frs_peer_graph_fini(struct frs_peer_graph *graph) {
    free(graph->start);
    free(graph->peers);
    *graph = (struct frs_peer_graph){0};
}
