#include "algorithms/kernels/adam.h"
#include "sim/base/numbers/levels.h"

#include <math.h>

#if defined __AVX512F__ || (defined __AVX2__ && defined __FMA__)
#include <immintrin.h>

/* Levels differ in how wide their registers are, and in how close their first guess of a reciprocal is. */
#ifdef __AVX512F__
typedef __m512 wide;
#define WIDE(operation) _mm512_##operation##_ps
#define GUESS_RSQRT _mm512_rsqrt14_ps
#define GUESS_RCP _mm512_rcp14_ps
#else
typedef __m256 wide;
#define WIDE(operation) _mm256_##operation##_ps
#define GUESS_RSQRT _mm256_rsqrt_ps
#define GUESS_RCP _mm256_rcp_ps
#endif
#define N_WIDE (sizeof(wide) / sizeof(float))

/* √v = v·rsqrt(v); the floor keeps rsqrt finite where nothing has been touched yet (m is zero there). */
#define TINY 1e-36f

/* y ≈ 1/√v and r ≈ 1/(√v + ε), each with one Newton step. */
FRS_KERNEL(void, frs_adam_rows,
    (const struct frs_adam_rows *rows, const float *coefficient, const float *w, float scale,
        const float *decay, struct frs_adam_step step)) {
    const wide b1 = WIDE(set1)(FRS_ADAM_BETA1), b2 = WIDE(set1)(FRS_ADAM_BETA2);
    const wide rate = WIDE(set1)(step.rate), epsilon = WIDE(set1)(step.epsilon);
    const wide tiny = WIDE(set1)(TINY), half = WIDE(set1)(0.5f), three_halves = WIDE(set1)(1.5f);
    const wide two = WIDE(set1)(2);
    for (size_t k = 0; k < rows->dim; k++) {
        float *x = rows->x + k * rows->stride, *m = rows->m + k * rows->stride,
              *v = rows->v + k * rows->stride;
        const wide factor = WIDE(set1)(scale * w[k]);
        for (size_t i = 0; i < rows->n; i += N_WIDE) {
            wide xi = WIDE(load)(x + i);
            wide g = WIDE(mul)(WIDE(load)(coefficient + i), factor);
            if (decay)
                g = WIDE(fmadd)(WIDE(load)(decay + i), xi, g);
            wide mi = WIDE(fmadd)(b1, WIDE(load)(m + i), g);
            wide vi = WIDE(fmadd)(b2, WIDE(load)(v + i), WIDE(mul)(g, g));
            WIDE(store)(m + i, mi);
            WIDE(store)(v + i, vi);
            wide u = WIDE(max)(vi, tiny);
            wide y = GUESS_RSQRT(u);
            wide uy = WIDE(mul)(u, y);
            wide root = WIDE(mul)(uy, WIDE(fnmadd)(WIDE(mul)(half, uy), y, three_halves));
            wide denominator = WIDE(add)(root, epsilon);
            wide r = GUESS_RCP(denominator);
            r = WIDE(mul)(r, WIDE(fnmadd)(denominator, r, two));
            WIDE(store)(x + i, WIDE(fnmadd)(WIDE(mul)(rate, mi), r, xi));
        }
    }
}
#else
FRS_KERNEL(void, frs_adam_rows,
    (const struct frs_adam_rows *rows, const float *coefficient, const float *w, float scale,
        const float *decay, struct frs_adam_step step)) {
    for (size_t k = 0; k < rows->dim; k++) {
        float *x = rows->x + k * rows->stride, *m = rows->m + k * rows->stride,
              *v = rows->v + k * rows->stride;
        float factor = scale * w[k];
        for (size_t i = 0; i < rows->n; i++) {
            float g = coefficient[i] * factor + (decay ? decay[i] * x[i] : 0);
            m[i] = FRS_ADAM_BETA1 * m[i] + g;
            v[i] = FRS_ADAM_BETA2 * v[i] + g * g;
            x[i] -= step.rate * m[i] / (sqrtf(v[i]) + step.epsilon);
        }
    }
}
#endif
