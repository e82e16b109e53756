/* The logistic function and its loss, in forms that vectorise: for kernels only. */
#ifndef FRS_ALGORITHMS_LOGISTIC_H
#define FRS_ALGORITHMS_LOGISTIC_H

#include "sim/base/numbers/levels.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define FRS_LOGIT_LIMIT 80.0f

/* e^x to about 2 ulp for |x| ≤ 87 (Cephes expf), in a form that vectorises. */
FRS_INLINE float frs_exponential(float x) {
    float k = x * 1.44269504f + 12582912.0f; /* rounds to an integer */
    uint32_t bits;                           /* unsigned: for a NaN these are any bits */
    memcpy(&bits, &k, sizeof bits);
    float whole = k - 12582912.0f;
    float r = x - whole * 0.693359375f + whole * 2.12194440e-4f;
    float e = 1.9875691500e-4f;
    e = e * r + 1.3981999507e-3f;
    e = e * r + 8.3334519073e-3f;
    e = e * r + 4.1665795894e-2f;
    e = e * r + 1.6666665459e-1f;
    e = e * r + 5.0000001201e-1f;
    e = e * r * r + r + 1.0f;
    uint32_t scale = (bits - 0x4b400000u + 127u) << 23;
    float power;
    memcpy(&power, &scale, sizeof power);
    return e * power;
}

/* log(1 + x) for 0 ≤ x ≤ 1 through 2·atanh(x / (2 + x)); error below 2e-7. */
FRS_INLINE float frs_log_one_plus(float x) {
    float z = x / (2 + x), z2 = z * z;
    return 2 * z * (1 + z2 * (1 / 3.0f + z2 * (1 / 5.0f + z2 * (1 / 7.0f + z2 * (1 / 9.0f + z2 / 11.0f)))));
}

/* NaN passes both comparisons and stays NaN. */
FRS_INLINE float frs_clamp_logit(float s) {
    s = s > FRS_LOGIT_LIMIT ? FRS_LOGIT_LIMIT : s;
    return s < -FRS_LOGIT_LIMIT ? -FRS_LOGIT_LIMIT : s;
}

/* c[i] = n σ(s) − positives: ∂(summed loss)/∂s of n samples with the same score. Written with σ(−s) = e^−s
 * σ(s) for the positives, it keeps its digits where the scores are almost right. s is clamped beforehand,
 * so that what follows compiles without branches. */
FRS_INLINE void frs_bce_coefficients(const float *restrict score, const float *restrict n,
    const float *restrict positive, size_t rows, float *restrict c) {
    for (size_t i = 0; i < rows; i++)
        c[i] = frs_clamp_logit(score[i]);
    for (size_t i = 0; i < rows; i++) {
        float e = frs_exponential(-c[i]), sigma = 1 / (1 + e);
        c[i] = (n[i] - positive[i]) * sigma - positive[i] * (e * sigma);
    }
}

/* n softplus(s) − positives s: their summed loss. */
FRS_INLINE float frs_bce_loss(float score, float n, float positives) {
    float s = frs_clamp_logit(score);
    float softplus = (s > 0 ? s : 0) + frs_log_one_plus(frs_exponential(-fabsf(s)));
    return n * softplus - positives * s;
}

#endif
