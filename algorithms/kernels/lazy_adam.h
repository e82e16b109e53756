/* Adam over rows of which few have a gradient in a step (adam.h; fresh state, n_steps known beforehand).
 *
 * Without a gradient the moments of a row only decay. So its total movement from its last gradient, at
 * step τ, up to the step before t is known in closed form. With m, v as they are after step τ
 * (unnormalised as in adam.h, of gradients in units of ε), s = 1/√v and i = 0 … t−τ−1:
 *
 *   Σ_i rate_{τ+i} β1^i m / (√(β2^i v) + ε_{τ+i}/ε)  =  m s Σ_n series[n] s^n
 *   series[n] = (−1)^n Σ_i rate_{τ+i} (ε_{τ+i}/ε)^n (β1 β2^{−(n+1)/2})^i
 *
 * The series is cut after FRS_LAZY_TERMS terms, which is right to 1e-6 where v reaches `floor`; below it,
 * the steps are taken one by one. A row is brought up to date when a batch needs it, and at the end. So
 * the cost depends on the samples, while the result is that of the dense optimiser. */
#ifndef FRS_ALGORITHMS_LAZY_ADAM_H
#define FRS_ALGORITHMS_LAZY_ADAM_H

#include "sim/base/arena.h"

#include <stdint.h>

#define FRS_LAZY_TERMS 6

/* What the time from the last gradient to the step at hand does. */
struct frs_lazy_window {
    float series[FRS_LAZY_TERMS];
    float floor;        /* of v */
    float beta1, beta2; /* to the power of t − τ: what is left of m and v when step t adds its gradient */
    float unused[7];
};

/* The schedule of one participation; steps count from 1. */
struct frs_lazy_adam {
    size_t n_steps, reach, now;
    double (*sums)[FRS_LAZY_TERMS];   /* [n_steps + 2] the series from a step on, to the last one */
    double (*powers)[FRS_LAZY_TERMS]; /* [reach + 1] (β1 β2^{−(n+1)/2})^i */
    float *rate, *epsilon;            /* [n_steps + 1]; ε_t / ε */
    float *beta1, *root_beta2;        /* [reach + 1] β1^i and √β2^i */
    struct frs_lazy_window *windows; /* [n_steps + 1] by τ, valid for those within reach of `now`; [0]: there
                                        was no gradient yet, and nothing moves */
};

/* `reach`: the most steps between two gradients of a row, and from the last one to the end. */
struct frs_lazy_adam frs_lazy_adam_create(double rate, size_t n_steps, size_t reach, struct frs_arena *arena);

/* Step t is at hand; n_steps + 1 once all are done. */
void frs_lazy_adam_begin(struct frs_lazy_adam *adam, size_t t);

/* Rows [n_rows × pitch], the pitch in whole lanes, and their moments, which begin as zeros. In columns
 * that never have a gradient v is 1, and the code that adds gradients keeps it from vanishing there. */
struct frs_lazy_rows {
    size_t pitch;
    float *x, *m, *v;
    struct frs_lazy_mark {
        uint32_t last; /* the step of the last gradient, 0: none yet */
        float least;   /* no v of the row is smaller, those aside that never have a gradient */
    } * marks;         /* [n_rows], zeros at first */
};

/* Brings the x of `n` rows up to the present step. Their moments stay as they were after their last
 * gradient. */
void frs_lazy_adam_catch_up(
    const struct frs_lazy_adam *adam, const struct frs_lazy_rows *rows, const uint32_t *ids, size_t n);

#endif
