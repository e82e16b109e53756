#include "algorithms/kernels/steps/rating_gradient.h"
#include "sim/base/numbers/levels.h"

FRS_CLONES double frs_rating_gradient(
    float *restrict rows, const float *restrict ratings, size_t n, size_t dim, const float *restrict u) {
    double squared = 0;
    for (size_t i = 0; i < n; i++) {
        float *row = rows + i * dim, score = 0;
        for (size_t k = 0; k < dim; k++)
            score += u[k] * row[k];
        float error = ratings[i] - score;
        for (size_t k = 0; k < dim; k++)
            row[k] = -2 * error * u[k];
        squared += (double)error * (double)error;
    }
    return squared;
}
