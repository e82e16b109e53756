#include "algorithms/kernels/steps/rating_sgd.h"
#include "sim/base/numbers/levels.h"
#include "sim/base/numbers/rng.h"

/* Steps user and row; returns the error. */
FRS_CLONES static float step(
    const struct frs_rating_sgd *sgd, float rating, float *restrict user, float *restrict row) {
    size_t dim = sgd->dim;
    float error = rating - sgd->offset - user[dim] - row[dim], rate = sgd->rate, decay = sgd->decay;
    for (size_t k = 0; k < dim; k++)
        error -= user[k] * row[k];
    for (size_t k = 0; k < dim; k++) {
        float p = user[k];
        user[k] += rate * (error * row[k] - decay * p);
        row[k] += rate * (error * p - decay * row[k]);
    }
    user[dim] += rate * (error - decay * user[dim]);
    row[dim] += rate * (error - decay * row[dim]);
    return error;
}

double frs_rating_sgd_epoch(struct frs_rating_sgd *sgd, size_t visited, struct frs_rng *rng) {
    double squared = 0;
    for (size_t i = 0; i < sgd->n; i++)
        sgd->order[i] = (uint32_t)i;
    frs_rng_shuffle(rng, sgd->order, sgd->n);
    for (size_t i = 0; i < visited; i++) {
        size_t at = sgd->order[i];
        float error = step(sgd, sgd->ratings[at], sgd->user, sgd->rows + at * (sgd->dim + 1));
        squared += (double)error * (double)error;
    }
    return visited > 0 ? squared / (double)visited : 0;
}
