#include "actors/selection/ranking.h"
#include "sim/base/numbers/rng.h"

static bool is_before(const struct frs_candidate *a, const struct frs_candidate *b) {
    if (a->score != b->score)
        return a->score > b->score;
    if (a->tie != b->tie)
        return a->tie > b->tie;
    return a->client < b->client;
}

/* A binary heap, the best at its root. */
static void sink(struct frs_candidate *heap, size_t n, size_t at) {
    struct frs_candidate moving = heap[at]; /* heap[0] of an empty heap is the one just taken */
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &moving))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moving;
}

uint32_t frs_ranking_take(const struct frs_selection_request *request, struct frs_candidate *candidates,
    size_t *n_candidates, uint32_t n, uint32_t *clients) {
    uint32_t taken = 0;
    for (size_t i = *n_candidates / 2; i-- > 0;)
        sink(candidates, *n_candidates, i);
    while (*n_candidates > 0 && taken < n) {
        struct frs_candidate best = candidates[0];
        candidates[0] = candidates[--*n_candidates];
        sink(candidates, *n_candidates, 0);
        if (frs_selection_eligible(request, best.client))
            clients[taken++] = best.client;
    }
    return taken;
}

double frs_ranking_draw(struct frs_rng *rng, double weight) {
    double arrives = frs_rng_exponential(rng);
    return weight > 0 ? -arrives / weight : -__builtin_inf();
}

uint32_t frs_ranking_share(struct frs_rng *rng, uint32_t n, double share) {
    double exact = share * n;
    uint32_t whole = (uint32_t)exact;
    return whole + (frs_rng_unit(rng) < exact - whole);
}
