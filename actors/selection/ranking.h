/* Ranking: the best of many clients, for selections that score every client. Checks only as many clients
 * as it takes to find enough eligible ones. */
#ifndef FRS_ACTORS_RANKING_H
#define FRS_ACTORS_RANKING_H

#include "actors/selection.h"

#include <stddef.h>

struct frs_rng;

/* The higher score first, then the higher tie, then the lower id. */
struct frs_candidate {
    double score, tie;
    uint32_t client;
};

/* Fills `clients` with the first `n` eligible ones, best first, and returns their number. The candidates
 * are reordered, and *n_candidates of them are left: neither taken nor found ineligible. */
uint32_t frs_ranking_take(const struct frs_selection_request *request, struct frs_candidate *candidates,
    size_t *n_candidates, uint32_t n, uint32_t *clients);

/* Returns a score; taking the n best scores equals drawing n without replacement with probability
 * proportional to `weight` ≥ 0 (Efraimidis and Spirakis 2006). One draw. */
double frs_ranking_draw(struct frs_rng *rng, double weight);

/* How many of n explore when each would with probability `share`: the fraction is drawn. */
uint32_t frs_ranking_share(struct frs_rng *rng, uint32_t n, double share);

#endif
