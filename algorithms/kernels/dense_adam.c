#include "algorithms/kernels/dense_adam.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/levels.h"

#include <stdlib.h>
#include <string.h>

struct frs_dense_adam frs_dense_adam_create(size_t n) {
    return (struct frs_dense_adam){.x = frs_alloc_aligned(n, sizeof(float)),
        .m = frs_alloc_aligned(n, sizeof(float)),
        .v = frs_alloc_aligned(n, sizeof(float)),
        .g = frs_alloc_aligned(n, sizeof(float)),
        .n = n};
}

void frs_dense_adam_fini(struct frs_dense_adam *adam) {
    free(adam->m);
    free(adam->v);
    free(adam->g);
}

FRS_CLONES static void step_all(const struct frs_dense_adam *adam, struct frs_adam_step step) {
    frs_adam_vector(adam->x, adam->m, adam->v, adam->g, adam->n, step);
}

void frs_dense_adam_run(struct frs_dense_adam *adam, double rate) {
    step_all(adam, frs_adam_clock_next(&adam->clock, rate));
    memset(adam->g, 0, adam->n * sizeof *adam->g);
}
