/* Neighbours: which clients of a cohort mask with each other.
 *
 * Clients stand on a circle in an order drawn anew for every round, and each is a neighbour of the k/2 next
 * ones on either side: every client has k neighbours, and the graph is disconnected only if k/2 of them in a
 * row drop out at two places. With k ≥ n − 1 all clients are neighbours. Clients are known by their place in
 * the cohort, 0 … n − 1.
 *
 * Source: Bell et al. 2020 (SecAgg+), section 3.3: a Harary graph under a random permutation. */
#ifndef FRS_ALGORITHMS_PRIVACY_MASKS_NEIGHBOURS_H
#define FRS_ALGORITHMS_PRIVACY_MASKS_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_rng;

struct frs_neighbours {
    size_t n, degree;
    uint32_t *places; /* [n × degree], ascending for each client */
};

/* Draws the graph of n ≥ 1 clients; an odd degree is raised by one unless all are neighbours. Ended by
 * fini. */
struct frs_neighbours frs_neighbours_draw(size_t n, size_t degree, struct frs_rng *rng);
void frs_neighbours_fini(struct frs_neighbours *graph);

/* The degree that such a cohort gets. */
size_t frs_neighbours_degree(size_t n, size_t wanted);

/* 2·⌈log2 n⌉: the chance that the graph of the survivors falls apart shrinks with n. */
size_t frs_neighbours_usual(size_t n);

static inline const uint32_t *frs_neighbours_of(const struct frs_neighbours *graph, size_t place) {
    return graph->places + place * graph->degree;
}

/* Where `other` stands among the neighbours of `place`; the degree: it is none of them. */
size_t frs_neighbours_find(const struct frs_neighbours *graph, size_t place, uint32_t other);

/* Whether the clients that are `there` [n] are connected, neighbour by neighbour; true if there are none.
 * Otherwise the masks of each piece cancel within it, and a server that removes masks learns the sum of
 * the piece. */
bool frs_neighbours_connect(const struct frs_neighbours *graph, const bool *there);

#endif
