#include "algorithms/kernels/steps/logistic_mf.h"
#include "sim/base/numbers/levels.h"
#include "algorithms/kernels/logistic.h"

static float probability(const float *u, const float *v, size_t dim) {
    float logit = 0;
    for (size_t k = 0; k < dim; k++)
        logit += u[k] * v[k];
    return 1 / (1 + frs_exponential(-frs_clamp_logit(logit)));
}

double frs_logistic_mf_gradient(const float *rows, const struct frs_client_data *user,
    const struct frs_rating_scale *scale, const float *u, size_t dim, float *row_gradients,
    float *u_gradient) {
    double squared = 0;
    for (size_t i = 0; i < user->n; i++) {
        const float *row = rows + user->items[i] * dim;
        float *gradient = row_gradients + user->items[i] * dim;
        float y = probability(u, row, dim);
        float error = frs_rating_to_unit(scale, user->ratings[i]) - y;
        float delta = -2 * error * y * (1 - y);
        for (size_t k = 0; k < dim; k++) {
            gradient[k] += delta * u[k];
            u_gradient[k] += delta * row[k];
        }
        squared += (double)error * (double)error;
    }
    return squared;
}

float frs_logistic_mf_predict(
    const float *u, const float *v, size_t dim, const struct frs_rating_scale *scale) {
    return frs_rating_from_unit(scale, probability(u, v, dim));
}

FRS_CLONES void frs_logistic_mf_pull(
    const float *restrict x, const float *restrict centre, float pull, size_t n, float *restrict gradient) {
    for (size_t i = 0; i < n; i++)
        gradient[i] += pull * (x[i] - centre[i]);
}

FRS_CLONES void frs_logistic_mf_step(float *restrict x, float *restrict m, float *restrict v,
    const float *restrict gradient, size_t n, struct frs_adam_step step) {
    frs_adam_vector(x, m, v, gradient, n, step);
}
