/* Best approximation of a matrix by one of low rank (Eckart and Young). */
#ifndef FRS_ALGORITHMS_LOW_RANK_FIT_H
#define FRS_ALGORITHMS_LOW_RANK_FIT_H

#include "sim/base/arena.h"

/* a [n × dim], row-major and finite, ≈ U V with U [n × rank], V [rank × dim] and orthonormal rows of V;
 * 1 ≤ rank ≤ min(n, dim). By the eigenvectors of the smaller one of AᵀA and AAᵀ, in double precision.
 *
 * Returns the operations: with s the smaller and l the larger of n and dim, s·(s + 1)·l for the products,
 * 4/3·s³ + 2·s²·rank for the eigenvectors (tridiagonal form and back), 2·n·rank·dim for U, and for n < dim as
 * many again for V. */
double frs_low_rank_fit(
    const float *a, size_t n, size_t dim, size_t rank, struct frs_arena *arena, float *u, float *v);

#endif
