#include "algorithms/kernels/algebra/orthonormal.h"
#include "algorithms/kernels/algebra/library.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <lapacke.h>
#include <stdlib.h>

void frs_orthonormalise(float *a, size_t n, size_t k) {
    float *tau = frs_alloc(k, sizeof *tau);
    int rows = (int)n, columns = (int)k;
    frs_library_enter();
    int failed = LAPACKE_sgeqrf(LAPACK_ROW_MAJOR, rows, columns, a, columns, tau);
    if (!failed)
        failed = LAPACKE_sorgqr(LAPACK_ROW_MAJOR, rows, columns, columns, a, columns, tau);
    frs_library_check_memory(failed);
    FRS_INVARIANT(!failed, "QR of a %zu by %zu matrix failed: %d", n, k, failed);
    free(tau);
}
