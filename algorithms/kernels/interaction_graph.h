/* The bipartite graph of users and the items of their training data, and what its symmetrically normalised
 * adjacency P = D^(−1/2) A D^(−1/2) does to a table of one row for each of them. */
#ifndef FRS_ALGORITHMS_INTERACTION_GRAPH_H
#define FRS_ALGORITHMS_INTERACTION_GRAPH_H

#include <stddef.h>
#include <stdint.h>

/* Tables are [n_users + n_items × pitch], users first, aligned to 64 bytes; the pitch is whole lanes
 * (columns.h). Nodes are numbered in the same way. */
struct frs_interaction_graph {
    size_t n_nodes, pitch;
    size_t *start;   /* [n_nodes + 1] into neighbours */
    uint32_t *nodes; /* neighbours of each node, ascending */
    float *weights;  /* [n_nodes] 1/√degree, 0 without neighbours */
    float *scaled;   /* a table of its own, for the functions below */
};

/* User u has items[u][0 … n[u] − 1], ascending. */
struct frs_interaction_graph frs_interaction_graph_create(
    size_t n_users, size_t n_items, const uint32_t *const *items, const size_t *n, size_t pitch);
void frs_interaction_graph_fini(struct frs_interaction_graph *graph);

/* to = (E + P E + … + P^layers E) / (layers + 1). P is symmetric, so gradients go the same way back. */
void frs_interaction_graph_mean(
    const struct frs_interaction_graph *graph, size_t layers, const float *from, float *to);

#endif
