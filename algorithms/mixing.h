/* Mixing: the weights with which clients that exchange models average them (D-PSGD, Lian et al. 2017):
 *
 *   x_i ← w_ii x_i + Σ_j w_ij x_j      over the neighbours j of i
 *
 * A matrix whose rows and columns add up to 1 keeps the mean of all models, and repeated mixing brings every
 * connected client to it.
 *
 *   metropolis  w_ij = 1 / (1 + max(d_i, d_j)), w_ii what is left: symmetric, so that columns add up to 1,
 * too (Xiao and Boyd 2004, section 4.2) uniform     w_ij = w_ii = 1 / (1 + d_i): rows alone add up to 1,
 * unless all clients have as many neighbours
 *
 * A neighbour whose model has not come is missing from the mean: the weights of the others are divided by
 * their sum. Pure. */
#ifndef FRS_ALGORITHMS_MIXING_H
#define FRS_ALGORITHMS_MIXING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum frs_mixing { FRS_MIXING_METROPOLIS, FRS_MIXING_UNIFORM };
extern const char *const frs_mixing_names[]; /* enum frs_mixing */

/* The row of a client with d neighbours that have degrees[0 … d−1] neighbours themselves. weights [d + 1]:
 * its own first, then one for each neighbour. */
void frs_mixing_row(enum frs_mixing mixing, size_t d, const uint32_t *degrees, double *weights);

/* Drops the neighbours [d] whose model has not come: weights [d + 1] as above, which are 0 for those, and add
 * up to 1 again. The client's own is above 0 under either rule, so that there is always a sum. */
void frs_mixing_renormalise(size_t d, const bool *came, double *weights);

#endif
