/* Adam (Kingma & Ba 2015, algorithm 1; β1 0.9, β2 0.999, ε 1e-8) over many rows whose gradients are a
 * scalar times one vector. */
#ifndef FRS_ALGORITHMS_ADAM_H
#define FRS_ALGORITHMS_ADAM_H

#include <math.h>
#include <stddef.h>

#define FRS_ADAM_BETA1 0.9f
#define FRS_ADAM_BETA2 0.999f
#define FRS_ADAM_EPSILON 1e-8f

/* Step size and ε of step t ≥ 1 with the bias corrections folded in. Moments are kept unnormalised, M =
 * m/(1−β1) and V = v/(1−β2): M ← β1 M + g, V ← β2 V + g², x −= rate' · M / (√V + ε') with rate' =
 * rate·(1−β1)/(1−β1ᵗ)·√((1−β2ᵗ)/(1−β2)) and ε' = ε·√((1−β2ᵗ)/(1−β2)). */
struct frs_adam_step {
    float rate, epsilon;
};

struct frs_adam_step frs_adam_step(double rate, unsigned t);

/* The same for one step after the other, without powers; starts as zeros. */
struct frs_adam_clock {
    double beta1, beta2; /* to the power of the last step, less one (zeros at the start) */
};

static inline struct frs_adam_step frs_adam_clock_next(struct frs_adam_clock *clock, double rate) {
    double beta1 = (double)FRS_ADAM_BETA1, beta2 = (double)FRS_ADAM_BETA2;
    clock->beta1 = beta1 * clock->beta1 + (beta1 - 1);
    clock->beta2 = beta2 * clock->beta2 + (beta2 - 1);
    double root = sqrt(-clock->beta2 / (1 - beta2));
    return (struct frs_adam_step){.rate = (float)(rate * root * (1 - beta1) / -clock->beta1),
        .epsilon = (float)((double)FRS_ADAM_EPSILON * root)};
}

/* Steps n numbers by their gradients, moments kept as above. */
static inline void frs_adam_vector(float *restrict x, float *restrict m, float *restrict v,
    const float *restrict g, size_t n, struct frs_adam_step step) {
    for (size_t i = 0; i < n; i++) {
        m[i] = FRS_ADAM_BETA1 * m[i] + g[i];
        v[i] = FRS_ADAM_BETA2 * v[i] + g[i] * g[i];
        x[i] -= step.rate * m[i] / (sqrtf(v[i]) + step.epsilon);
    }
}

/* Columns of a dimension-major table and their moments: element i of dimension k stands at [k · stride + i].
 * All pointers are aligned to 64 bytes; `n` and `stride` are multiples of 16. */
struct frs_adam_rows {
    float *x, *m, *v;
    size_t dim, stride;
    size_t n; /* columns */
};

/* One step of all dim × n elements with gradient g = coefficient[i]·scale·w[k] + decay[i]·x (`decay` may be
 * NULL). Uses approximate reciprocals with one Newton step where the processor has them (relative error of a
 * step about 1e-6). */
void frs_adam_rows(const struct frs_adam_rows *rows, const float *coefficient, const float *w, float scale,
    const float *decay, struct frs_adam_step step);

#endif
