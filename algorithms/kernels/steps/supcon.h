/* Supervised contrast (Khosla et al. 2020) of the rows of a table, made unit vectors z: rows of one label
 * attract each other, and all rows repel each other.
 *
 *   loss = −(τ/τ_b) mean over anchors a of  mean over p ≠ a with a's label of  z_a·z_p/τ − log Σ_{j ≠ a}
 * e^{z_a·z_j/τ}
 *
 * An anchor whose label no other row has counts as 0. Operations, as written: 9 n d for the unit vectors and
 * back, and 6 n d + 8 n for each anchor. */
#ifndef FRS_ALGORITHMS_SUPCON_H
#define FRS_ALGORITHMS_SUPCON_H

#include "sim/base/arena.h"

#include <stdint.h>

struct frs_supcon {
    size_t n, dim;
    float temperature, base; /* τ at least 1/80, τ_b */
    const uint32_t *labels;  /* [n] */
};

/* rows and gradient [n × dim]; the gradient of the loss by the rows, times `factor`, is added. Rows of zeros
 * have none. Anchors [n_anchors]; NULL: all n rows. Returns the loss. */
double frs_supcon_gradient(const struct frs_supcon *of, const float *rows, const uint32_t *anchors,
    size_t n_anchors, float factor, float *gradient, struct frs_arena *arena);

double frs_supcon_flop(size_t n, size_t dim, size_t n_anchors);

#endif
