/* Logistic matrix factorisation of ratings on a scale from 0 to 1: Σ (r − σ(u · v))², and steps of Adam for
 * tables that are drawn towards another one. */
#ifndef FRS_ALGORITHMS_LOGISTIC_MF_H
#define FRS_ALGORITHMS_LOGISTIC_MF_H

#include "algorithms/kernels/adam.h"
#include "algorithms/rating_scale.h"

/* Adds the gradients of one user's errors: to the rows of the rated items in row_gradients (a table
 * [n_items × dim] like `rows`) and to u_gradient [dim]. Returns Σ (r − σ)². 6·dim + 10 operations a
 * rating. */
double frs_logistic_mf_gradient(const float *rows, const struct frs_client_data *user,
    const struct frs_rating_scale *scale, const float *u, size_t dim, float *row_gradients,
    float *u_gradient);

/* σ(u · v) on the scale of the ratings. */
float frs_logistic_mf_predict(
    const float *u, const float *v, size_t dim, const struct frs_rating_scale *scale);

/* gradient += pull · (x − centre), n numbers: 3·n operations. */
void frs_logistic_mf_pull(const float *x, const float *centre, float pull, size_t n, float *gradient);

/* frs_adam_vector, vectorised: 12·n operations. */
void frs_logistic_mf_step(
    float *x, float *m, float *v, const float *gradient, size_t n, struct frs_adam_step step);

#endif
