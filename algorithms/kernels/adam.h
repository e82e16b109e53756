/* Adam (Kingma & Ba 2015, algorithm 1; β1 0.9, β2 0.999, ε 1e-8) over one dimension of many rows. */
#ifndef FRS_ALGORITHMS_ADAM_H
#define FRS_ALGORITHMS_ADAM_H

#include <stddef.h>

#define FRS_ADAM_BETA1 0.9f
#define FRS_ADAM_BETA2 0.999f
#define FRS_ADAM_EPSILON 1e-8f

/* Step size and ε of step t ≥ 1 with the bias corrections folded in. Moments are kept unnormalised, M = m/(1−β1) and
 * V = v/(1−β2): M ← β1 M + g, V ← β2 V + g², x −= rate' · M / (√V + ε') with
 * rate' = rate·(1−β1)/(1−β1ᵗ)·√((1−β2ᵗ)/(1−β2)) and ε' = ε·√((1−β2ᵗ)/(1−β2)). */
struct frs_adam_step {
    float rate, epsilon;
};

struct frs_adam_step frs_adam_step(double rate, unsigned t);

/* One step of x[n] with gradient g_i = coefficient[i]·scale + decay[i]·x[i] (`decay` may be NULL), moments m
 * and v; n is a multiple of 16 and all pointers are aligned to 64 bytes. Uses approximate reciprocals with
 * one Newton step where the processor has them (relative error of a step about 1e-6). */
void frs_adam_rows(float *x, float *m, float *v, const float *coefficient, float scale, const float *decay,
    size_t n, struct frs_adam_step step);

#endif
