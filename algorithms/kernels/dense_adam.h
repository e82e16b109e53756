/* Adam over many numbers, each of which has its own gradient in every step: the dense optimiser (adam.h). */
#ifndef FRS_ALGORITHMS_DENSE_ADAM_H
#define FRS_ALGORITHMS_DENSE_ADAM_H

#include "algorithms/kernels/adam.h"

struct frs_dense_adam {
    float *x, *m, *v, *g; /* [n] each; values, moments as in adam.h, gradients */
    size_t n;
    struct frs_adam_clock clock;
};

/* All numbers are zeros at first. */
struct frs_dense_adam frs_dense_adam_create(size_t n);
/* Frees all but x, which then belongs to the caller. */
void frs_dense_adam_fini(struct frs_dense_adam *adam);

/* Takes one step; the gradients are zeros afterwards. */
void frs_dense_adam_run(struct frs_dense_adam *adam, double rate);

#endif
