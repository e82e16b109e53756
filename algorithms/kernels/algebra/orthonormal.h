/* Orthonormal columns by a QR factorisation (LAPACK). */
#ifndef FRS_ALGORITHMS_ORTHONORMAL_H
#define FRS_ALGORITHMS_ORTHONORMAL_H

#include <stddef.h>

/* Replaces the columns of a [n × k] row-major, k ≤ n, of full rank,
 * by orthonormal ones with the same span. */
void frs_orthonormalise(float *a, size_t n, size_t k);

#endif
