/* Alias tables: a draw from a discrete distribution in constant time.
 *
 * Source: Vose, "A linear algorithm for generating random numbers with a given distribution", 1991. */
#ifndef FRS_ALGORITHMS_DATA_ALIAS_H
#define FRS_ALGORITHMS_DATA_ALIAS_H

#include <stdint.h>

struct frs_rng;

struct frs_alias {
    uint32_t n;
    float *keep;     /* [n] probability to keep the cell drawn */
    uint32_t *other; /* [n] what to take otherwise */
};

/* `weights` [n], n ≥ 1: non-negative with a positive finite sum. */
void frs_alias_init(struct frs_alias *alias, const double *weights, uint32_t n);
void frs_alias_fini(struct frs_alias *alias);
uint32_t frs_alias_draw(const struct frs_alias *alias, struct frs_rng *rng);

#endif
