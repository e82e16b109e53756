#include "algorithms/privacy/masks/neighbours.h"
#include "algorithms/codecs/bits.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"

#include <stdlib.h>

size_t frs_neighbours_degree(size_t n, size_t wanted) {
    size_t even = wanted + wanted % 2;
    return even < n ? even : n - 1;
}

size_t frs_neighbours_usual(size_t n) {
    return frs_neighbours_degree(n, 2 * (size_t)frs_bits_for(n));
}

struct frs_neighbours frs_neighbours_draw(size_t n, size_t degree, struct frs_rng *rng) {
    struct frs_neighbours graph = {.n = n, .degree = frs_neighbours_degree(n, degree)};
    graph.places = frs_alloc(n * graph.degree + 1, sizeof *graph.places);
    uint32_t *circle = frs_alloc(n, sizeof *circle);
    for (uint32_t i = 0; i < n; i++)
        circle[i] = i;
    frs_rng_shuffle(rng, circle, n);
    /* The next `degree` places, begun half of them back: right for all others, too. */
    for (size_t i = 0; i < n; i++) {
        uint32_t *places = graph.places + circle[i] * graph.degree;
        for (size_t k = 0, step = n - graph.degree / 2; k < graph.degree; k++, step++) {
            step += step == n;
            places[k] = circle[(i + step) % n];
        }
        qsort(places, graph.degree, sizeof *places, frs_compare_uint32s);
    }
    free(circle);
    return graph;
}

void frs_neighbours_fini(struct frs_neighbours *graph) {
    free(graph->places);
    *graph = (struct frs_neighbours){0};
}

size_t frs_neighbours_find(const struct frs_neighbours *graph, size_t place, uint32_t other) {
    const uint32_t *places = frs_neighbours_of(graph, place);
    const uint32_t *found = bsearch(&other, places, graph->degree, sizeof *places, frs_compare_uint32s);
    return found ? (size_t)(found - places) : graph->degree;
}

bool frs_neighbours_connect(const struct frs_neighbours *graph, const bool *there) {
    uint32_t *reached = frs_alloc(graph->n + 1, sizeof *reached);
    bool *missing = frs_alloc(graph->n + 1, sizeof *missing);
    size_t n_there = 0, n = 0;
    for (uint32_t place = 0; place < graph->n; place++) {
        missing[place] = there[place];
        n_there += there[place];
        if (there[place])
            reached[0] = place;
    }
    if (n_there > 0)
        missing[reached[n++]] = false;
    for (size_t at = 0; at < n; at++)
        for (size_t i = 0; i < graph->degree; i++) {
            uint32_t next = frs_neighbours_of(graph, reached[at])[i];
            if (missing[next])
                reached[n++] = next;
            missing[next] = false;
        }
    free(missing);
    free(reached);
    return n == n_there;
}
