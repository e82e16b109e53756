#include "algorithms/privacy/masks/mask_standing.h"
#include "sim/base/memory.h"

#include <stdlib.h>

size_t frs_mask_neighbours_at(const struct frs_mask_round *round, const enum frs_mask_reached *reached,
    size_t place, enum frs_mask_reached least) {
    const uint32_t *neighbours = frs_neighbours_of(&round->graph, place);
    size_t n = 0;
    for (size_t i = 0; i < round->graph.degree; i++)
        n += reached[neighbours[i]] >= least;
    return n;
}

bool frs_mask_goes_on(const struct frs_mask_round *round, const enum frs_mask_reached *reached, size_t place,
    enum frs_mask_reached least) {
    return frs_mask_neighbours_at(round, reached, place, least) + 1 >= round->threshold;
}

bool frs_mask_is_needed(
    const struct frs_mask_round *round, const enum frs_mask_reached *reached, size_t place) {
    return reached[place] >= FRS_REACHED_MASKED ||
           (reached[place] == FRS_REACHED_SHARES &&
               frs_mask_neighbours_at(round, reached, place, FRS_REACHED_MASKED) > 0);
}

bool frs_mask_is_one_sum(const struct frs_mask_round *round, const enum frs_mask_reached *reached) {
    bool *survived = frs_alloc(round->graph.n + 1, sizeof *survived);
    for (size_t place = 0; place < round->graph.n; place++)
        survived[place] = reached[place] >= FRS_REACHED_MASKED;
    bool one = frs_neighbours_connect(&round->graph, survived);
    free(survived);
    return one;
}

bool frs_mask_can_unmask(const struct frs_mask_round *round, const enum frs_mask_reached *reached) {
    bool any = false;
    for (size_t place = 0; place < round->graph.n; place++) {
        if (!frs_mask_is_needed(round, reached, place))
            continue;
        any = true;
        if (frs_mask_neighbours_at(round, reached, place, FRS_REACHED_UNMASKING) +
                (reached[place] == FRS_REACHED_UNMASKING) <
            round->threshold)
            return false;
    }
    return any && frs_mask_is_one_sum(round, reached);
}

struct frs_mask_tally frs_mask_client_work(
    const struct frs_mask_round *round, enum frs_mask_kind kind, size_t n_neighbours) {
    switch (kind) {
    case FRS_MASK_KEYS:
        return (struct frs_mask_tally){.agreements = 2};
    case FRS_MASK_SHARES:
        return (struct frs_mask_tally){.agreements = n_neighbours,
            .share_steps = 2 * (n_neighbours + 1) * round->threshold,
            .boxes = n_neighbours};
    case FRS_MASK_MASKED:
        return (struct frs_mask_tally){.agreements = n_neighbours,
            .boxes = n_neighbours,
            .masked_numbers = (n_neighbours + 1) * round->n_values};
    default:
        return (struct frs_mask_tally){0};
    }
}

/* Weights are found anew for every secret; where all are neighbours its holders are always the same. */
struct frs_mask_tally frs_mask_server_work(
    const struct frs_mask_round *round, const enum frs_mask_reached *reached) {
    struct frs_mask_tally work = {0};
    uint64_t weights = 2 * (uint64_t)round->threshold * round->threshold;
    bool full = round->graph.degree + 1 == round->graph.n;
    for (size_t place = 0; place < round->graph.n; place++) {
        if (!frs_mask_is_needed(round, reached, place))
            continue;
        work.share_steps += round->threshold;
        work.weight_steps = full ? weights : work.weight_steps + weights;
        if (reached[place] >= FRS_REACHED_MASKED) {
            work.masked_numbers += round->n_values;
            continue;
        }
        size_t n_with = frs_mask_neighbours_at(round, reached, place, FRS_REACHED_MASKED);
        work.agreements += 1 + n_with;
        work.masked_numbers += n_with * round->n_values;
    }
    return work;
}
