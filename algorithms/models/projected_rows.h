/* Projected rows: a table's rows by their coefficients under a round's projection (projection.h), which
 * clients without a server exchange (docs/gossip.md, "CoLR").
 *
 * The coefficients of a row q are the a that minimise ‖q − B a‖², a = (BᵀB)⁻¹ Bᵀ q. Models that differ by
 * (B A)ᵀ alone differ by A in their coefficients. */
#ifndef FRS_ALGORITHMS_PROJECTED_ROWS_H
#define FRS_ALGORITHMS_PROJECTED_ROWS_H

#include "algorithms/models/projection.h"

/* (BᵀB)⁻¹ Bᵀ [rank × dim] of a seed, row-major, in the arena. */
const double *frs_projected_rows_open(
    const struct frs_projection *projection, uint64_t seed, struct frs_arena *arena);

/* The coefficients [n × rank] of rows [n × dim]. */
void frs_projected_rows_of(const struct frs_projection *projection, const double *opened, const float *rows,
    size_t n, float *coefficients);

/* table ← table + (B D)ᵀ with D = Σ_j weights[j] · coefficients[j] − coefficients[0], [n_rows × rank] each: a
 * client's own coefficients are the first, and the weights add up to 1. */
void frs_projected_rows_mix(const struct frs_projection *projection, uint64_t seed,
    const float *const *coefficients, const double *weights, size_t n, size_t n_rows, float *table,
    struct frs_arena *arena);

/* Operations: of the first two for a table of this many rows, 2·rank²·dim + rank³ + 2·rank·dim each; and of
 * mixing n sets of coefficients, own included, 3·rank for each other set, and the product, for each row. */
double frs_projected_rows_tell_flop(const struct frs_projection *projection, size_t n_rows);
double frs_projected_rows_mix_flop(const struct frs_projection *projection, size_t n_rows, size_t n);

#endif
