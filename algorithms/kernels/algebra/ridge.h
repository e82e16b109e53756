/* Ridge regression of one client: the user step of methods that alternate least squares. */
#ifndef FRS_ALGORITHMS_RIDGE_H
#define FRS_ALGORITHMS_RIDGE_H

#include "sim/base/arena.h"

/* u = argmin Σ_i (targets[i] − u · rows[i])² + lambda ‖u‖², for `rows` [n × dim] row-major and lambda > 0:
 * the normal equations by Cholesky factorisation, in double precision. n = 0 gives u = 0. Returns the
 * operations: n·dim·(dim + 3) for the equations, dim³/3 + 2·dim² for their solution, none for n = 0. */
double frs_ridge(const float *rows, const float *targets, size_t n, size_t dim, double lambda,
    struct frs_arena *arena, float *u);

#endif
