#include "algorithms/kernels/adam.h"

#include <math.h>

/* Moments are kept as m/(1−β1) and v/(1−β2), which saves two multiplications a step; the factors move into
 * the step size and into ε. */
struct frs_adam_step frs_adam_step(double rate, unsigned t) {
    double beta1 = (double)FRS_ADAM_BETA1, beta2 = (double)FRS_ADAM_BETA2;
    double root = sqrt((1 - pow(beta2, t)) / (1 - beta2));
    return (struct frs_adam_step){
        .rate = (float)(rate * root * (1 - beta1) / (1 - pow(beta1, t))),
        .epsilon = (float)((double)FRS_ADAM_EPSILON * root),
    };
}

typedef void adam_rows(
    const struct frs_adam_rows *, const float *, const float *, float, const float *, struct frs_adam_step);

static void rows_portable(const struct frs_adam_rows *rows, const float *coefficient, const float *w,
    float scale, const float *decay, struct frs_adam_step step) {
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

#ifdef __x86_64__
#include <immintrin.h>

/* √v = v·rsqrt(v); the floor keeps rsqrt finite where nothing has been touched yet (m is zero there). */
#define TINY 1e-36f

/* Both bodies are the same formulas: y ≈ 1/√v and r ≈ 1/(√v + ε), each with one Newton step. */
__attribute__((target("avx512f"))) static void rows_avx512(const struct frs_adam_rows *rows,
    const float *coefficient, const float *w, float scale, const float *decay, struct frs_adam_step step) {
    const __m512 b1 = _mm512_set1_ps(FRS_ADAM_BETA1), b2 = _mm512_set1_ps(FRS_ADAM_BETA2);
    const __m512 rate = _mm512_set1_ps(step.rate), epsilon = _mm512_set1_ps(step.epsilon);
    const __m512 tiny = _mm512_set1_ps(TINY), half = _mm512_set1_ps(0.5f),
                 three_halves = _mm512_set1_ps(1.5f);
    const __m512 two = _mm512_set1_ps(2);
    for (size_t k = 0; k < rows->dim; k++) {
        float *x = rows->x + k * rows->stride, *m = rows->m + k * rows->stride,
              *v = rows->v + k * rows->stride;
        const __m512 factor = _mm512_set1_ps(scale * w[k]);
        for (size_t i = 0; i < rows->n; i += 16) {
            __m512 xi = _mm512_load_ps(x + i);
            __m512 g = _mm512_mul_ps(_mm512_load_ps(coefficient + i), factor);
            if (decay)
                g = _mm512_fmadd_ps(_mm512_load_ps(decay + i), xi, g);
            __m512 mi = _mm512_fmadd_ps(b1, _mm512_load_ps(m + i), g);
            __m512 vi = _mm512_fmadd_ps(b2, _mm512_load_ps(v + i), _mm512_mul_ps(g, g));
            _mm512_store_ps(m + i, mi);
            _mm512_store_ps(v + i, vi);
            __m512 u = _mm512_max_ps(vi, tiny);
            __m512 y = _mm512_rsqrt14_ps(u);
            __m512 uy = _mm512_mul_ps(u, y);
            __m512 root = _mm512_mul_ps(uy, _mm512_fnmadd_ps(_mm512_mul_ps(half, uy), y, three_halves));
            __m512 denominator = _mm512_add_ps(root, epsilon);
            __m512 r = _mm512_rcp14_ps(denominator);
            r = _mm512_mul_ps(r, _mm512_fnmadd_ps(denominator, r, two));
            _mm512_store_ps(x + i, _mm512_fnmadd_ps(_mm512_mul_ps(rate, mi), r, xi));
        }
    }
}

__attribute__((target("avx2,fma"))) static void rows_avx2(const struct frs_adam_rows *rows,
    const float *coefficient, const float *w, float scale, const float *decay, struct frs_adam_step step) {
    const __m256 b1 = _mm256_set1_ps(FRS_ADAM_BETA1), b2 = _mm256_set1_ps(FRS_ADAM_BETA2);
    const __m256 rate = _mm256_set1_ps(step.rate), epsilon = _mm256_set1_ps(step.epsilon);
    const __m256 tiny = _mm256_set1_ps(TINY), half = _mm256_set1_ps(0.5f),
                 three_halves = _mm256_set1_ps(1.5f);
    const __m256 two = _mm256_set1_ps(2);
    for (size_t k = 0; k < rows->dim; k++) {
        float *x = rows->x + k * rows->stride, *m = rows->m + k * rows->stride,
              *v = rows->v + k * rows->stride;
        const __m256 factor = _mm256_set1_ps(scale * w[k]);
        for (size_t i = 0; i < rows->n; i += 8) {
            __m256 xi = _mm256_load_ps(x + i);
            __m256 g = _mm256_mul_ps(_mm256_load_ps(coefficient + i), factor);
            if (decay)
                g = _mm256_fmadd_ps(_mm256_load_ps(decay + i), xi, g);
            __m256 mi = _mm256_fmadd_ps(b1, _mm256_load_ps(m + i), g);
            __m256 vi = _mm256_fmadd_ps(b2, _mm256_load_ps(v + i), _mm256_mul_ps(g, g));
            _mm256_store_ps(m + i, mi);
            _mm256_store_ps(v + i, vi);
            __m256 u = _mm256_max_ps(vi, tiny);
            __m256 y = _mm256_rsqrt_ps(u);
            __m256 uy = _mm256_mul_ps(u, y);
            __m256 root = _mm256_mul_ps(uy, _mm256_fnmadd_ps(_mm256_mul_ps(half, uy), y, three_halves));
            __m256 denominator = _mm256_add_ps(root, epsilon);
            __m256 r = _mm256_rcp_ps(denominator);
            r = _mm256_mul_ps(r, _mm256_fnmadd_ps(denominator, r, two));
            _mm256_store_ps(x + i, _mm256_fnmadd_ps(_mm256_mul_ps(rate, mi), r, xi));
        }
    }
}
#endif

static adam_rows *choose(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f"))
        return rows_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return rows_avx2;
#endif
    return rows_portable;
}

void frs_adam_rows(const struct frs_adam_rows *rows, const float *coefficient, const float *w, float scale,
    const float *decay, struct frs_adam_step step) {
    choose()(rows, coefficient, w, scale, decay, step);
}
