/* Rating SGD: biased matrix factorisation of one client's ratings, by stochastic gradient descent.
 *
 *     r̂_i = offset + b + c_i + p · q_i        e_i = r_i − r̂_i
 *     p += rate (e q_i − decay p)             q_i += rate (e p − decay q_i), p as it was
 *     b += rate (e − decay b)                 c_i += rate (e − decay c_i)
 *
 * Source: Koren, Bell & Volinsky, IEEE Computer 42(8), 2009, equations 4 to 6. */
#ifndef FRS_ALGORITHMS_RATING_SGD_H
#define FRS_ALGORITHMS_RATING_SGD_H

#include <stddef.h>
#include <stdint.h>

struct frs_rng;

struct frs_rating_sgd {
    size_t n, dim;
    const float *ratings; /* [n] */
    float offset;
    float *user; /* p [dim], b; trained in place */
    float *rows; /* [n × (dim + 1)]: q_i [dim], c_i of every rated item; trained in place */
    float rate, decay;
    uint32_t *order; /* [n] room for the order of an epoch */
};

/* Mean squared error of the first `visited` of the ratings in an order that is drawn, every rating predicted
 * right before its step; 0 for none. */
double frs_rating_sgd_epoch(struct frs_rating_sgd *sgd, size_t visited, struct frs_rng *rng);

/* Operations of one step. */
static inline double frs_rating_sgd_flop(size_t dim) {
    return 10 * (double)dim + 13;
}

#endif
