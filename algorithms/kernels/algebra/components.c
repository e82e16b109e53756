#include "algorithms/kernels/algebra/components.h"
#include "algorithms/kernels/algebra/library.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

void frs_component_energies(const float *a, size_t n, size_t dim, double *energies) {
    size_t side = n < dim ? n : dim;
    if (side == 0)
        return;
    double *wide = frs_alloc(n * dim, sizeof *wide), *gram = frs_alloc(side * side, sizeof *gram);
    for (size_t i = 0; i < n * dim; i++)
        wide[i] = (double)a[i];
    frs_library_enter();
    /* Row-major A is Aᵀ to a column-major reader. */
    cblas_dsyrk(CblasColMajor, CblasUpper, n < dim ? CblasTrans : CblasNoTrans, (int)side,
        (int)(n < dim ? dim : n), 1, wide, (int)dim, 0, gram, (int)side);
    int failed =
        LAPACKE_dsyev(LAPACK_COL_MAJOR, 'N', 'U', (lapack_int)side, gram, (lapack_int)side, energies);
    frs_library_check_memory(failed);
    FRS_INVARIANT(!failed, "eigenvalues of a %zu by %zu matrix failed: %d", side, side, failed);
    for (size_t i = 0; i < side / 2; i++) { /* they ascend */
        double other = energies[i];
        energies[i] = energies[side - 1 - i];
        energies[side - 1 - i] = other;
    }
    for (size_t i = 0; i < side; i++)
        energies[i] = fmax(energies[i], 0);
    free(wide);
    free(gram);
}
