/* A random graph in which every client has `degree` neighbours; where the number of clients times the degree
 * is odd, one of them has one less.
 *
 * It starts as a lattice on a ring and is shuffled by switches: two edges ab and cd become ad and cb unless
 * that makes an edge twice or a loop (Rao et al. 1996, whose chain reaches every graph of these degrees). One
 * that has come apart is switched on until it is connected again, as far as its degree allows. */
#include "platforms/peers/neighbours.h"
#include "platforms/peers/peer_edges.h"
#include "sim/base/memory.h"

#include <stdlib.h>

#define SWITCHES_PER_EDGE 20u
#define MOST_ROUNDS 20u

static const struct frs_param params[] = {
    FRS_NEIGHBOURS_DEGREE_PARAM("4", "neighbours of a client"),
    {0},
};

/* Nearest on the ring first; an odd degree adds the client opposite. */
static void add_lattice(struct frs_peer_edges *edges, uint32_t n, uint32_t degree) {
    for (uint32_t k = 1; k <= degree / 2; k++)
        for (uint32_t i = 0; i < n; i++)
            frs_peer_edges_add(edges, i, (uint32_t)(((uint64_t)i + k) % n));
    for (uint32_t i = 0; degree % 2 && i < n / 2; i++)
        frs_peer_edges_add(edges, i, i + n / 2);
}

/* The neighbours of every place, [n × (degree + 1)], of which count[i] are used. */
struct lists {
    uint32_t *of, *count, width;
};

static bool has(const struct lists *lists, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < lists->count[a]; i++)
        if (lists->of[(size_t)a * lists->width + i] == b)
            return true;
    return false;
}

static void replace(struct lists *lists, uint32_t a, uint32_t before, uint32_t after) {
    for (uint32_t i = 0; i < lists->count[a]; i++)
        if (lists->of[(size_t)a * lists->width + i] == before) {
            lists->of[(size_t)a * lists->width + i] = after;
            return;
        }
}

static struct lists list_neighbours(const struct frs_peer_edges *edges, uint32_t n, uint32_t degree) {
    struct lists lists = {.width = degree + 1};
    lists.of = frs_alloc((size_t)n * lists.width, sizeof *lists.of);
    lists.count = frs_alloc(n, sizeof *lists.count);
    for (size_t i = 0; i < edges->n; i++)
        for (int end = 0; end < 2; end++) {
            uint32_t a = edges->ends[i][end];
            lists.of[(size_t)a * lists.width + lists.count[a]++] = edges->ends[i][!end];
        }
    return lists;
}

static void switch_edges(
    struct frs_peer_edges *edges, struct lists *lists, struct frs_rng *rng, size_t n_switches) {
    for (size_t i = 0; i < n_switches; i++) {
        size_t first = frs_rng_below(rng, (uint32_t)edges->n),
               second = frs_rng_below(rng, (uint32_t)edges->n);
        uint32_t turn = frs_rng_below(rng, 2), a = edges->ends[first][0], b = edges->ends[first][1],
                 c = edges->ends[second][turn], d = edges->ends[second][!turn];
        if (a == c || a == d || b == c || b == d || has(lists, a, d) || has(lists, c, b))
            continue;
        replace(lists, a, b, d);
        replace(lists, d, c, a);
        replace(lists, c, d, b);
        replace(lists, b, a, c);
        edges->ends[first][1] = d;
        edges->ends[second][0] = c;
        edges->ends[second][1] = b;
    }
}

static bool is_connected(const struct lists *lists, uint32_t n) {
    uint32_t *stack = frs_alloc(n, sizeof *stack), n_stack = 1, n_seen = 1;
    bool *seen = frs_alloc(n, sizeof *seen);
    seen[0] = true;
    while (n_stack > 0) {
        uint32_t a = stack[--n_stack];
        for (uint32_t i = 0; i < lists->count[a]; i++) {
            uint32_t b = lists->of[(size_t)a * lists->width + i];
            if (seen[b])
                continue;
            seen[b] = true;
            stack[n_stack++] = b;
            n_seen++;
        }
    }
    free(stack);
    free(seen);
    return n_seen == n;
}

static void connect(const struct frs_neighbours_settings *settings, uint32_t n, struct frs_rng *rng,
    struct frs_peer_edges *edges) {
    uint32_t degree = settings->degree < n ? settings->degree : n - 1;
    if (degree == 0)
        return;
    add_lattice(edges, n, degree);
    frs_peer_edges_sort(edges);
    struct lists lists = list_neighbours(edges, n, degree);
    for (unsigned i = 0; i < MOST_ROUNDS; i++) {
        switch_edges(edges, &lists, rng, SWITCHES_PER_EDGE * edges->n);
        if (degree == 1 || is_connected(&lists, n))
            break;
    }
    for (size_t i = 0; i < edges->n; i++)
        if (edges->ends[i][0] > edges->ends[i][1]) {
            uint32_t smaller = edges->ends[i][1];
            edges->ends[i][1] = edges->ends[i][0];
            edges->ends[i][0] = smaller;
        }
    free(lists.of);
    free(lists.count);
}

const struct frs_neighbourhood frs_neighbours_random_regular = {
    .plugin = {.name = "random_regular",
        .summary = "a random graph in which every client has the same number of neighbours",
        .source = "Rao et al. 1996; de Vos et al. 2023 (a new graph every round)",
        .params = params},
    .has_degree = true,
    .connect = connect,
};
