/* Energy of a matrix by principal components. */
#ifndef FRS_ALGORITHMS_COMPONENTS_H
#define FRS_ALGORITHMS_COMPONENTS_H

#include <stddef.h>

/* Leaves in `energies` [min(n, dim)] the squared singular values of a [n × dim], row-major and finite, the
 * largest first; their sum is that of all squared values. By the eigenvalues of the smaller one of AᵀA and
 * AAᵀ, in double precision, so that what is below 1e-16 of the sum is noise; none is negative. */
void frs_component_energies(const float *a, size_t n, size_t dim, double *energies);

#endif
