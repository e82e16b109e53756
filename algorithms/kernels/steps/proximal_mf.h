/* Local steps of a factorisation whose item rows are drawn towards a received table: RFRec and RFRecF (Liu et
 * al., CIKM 2024, equations 5 to 8). For one client with rated items j = 0 … n−1, its vector u and its own
 * rows v_j, received rows v̄_j:
 *
 *   F = Σ_j (r_j − u · v_j)² + λ_u ‖u‖² + λ/2 Σ_j ‖v_j − v̄_j‖²,    e_j = r_j − u · v_j
 *
 * All row arrays are [n × dim], row-major. */
#ifndef FRS_ALGORITHMS_PROXIMAL_MF_H
#define FRS_ALGORITHMS_PROXIMAL_MF_H

#include <stddef.h>
#include <stdint.h>

/* errors[j] = ratings[j] − u · rows[j]; returns the sum of their squares. 2·n·dim + 2·n operations. */
double frs_proximal_errors(
    const float *rows, const float *u, const float *ratings, size_t n, size_t dim, float *errors);

/* Computes the minimum over v_j of (r_j − u · v_j)² + λ/2 ‖v_j − centre_j‖² in closed form, out_j = from_j
 * + 2 e_j u / (λ + 2‖u‖²), with the errors of the centre. `from` is the centre, or zero (NULL) for the
 * change alone. A denominator of 0 (λ = 0, u = 0) changes nothing. 2·n·dim + 3·n + 2·dim operations. */
void frs_proximal_rows(
    const float *from, const float *u, const float *errors, double lambda, size_t n, size_t dim, float *out);

/* Σ of n squares: 2·n operations. */
double frs_proximal_squares(const float *values, size_t n);

/* Makes one gradient step of both, from the values before it:
 *   v_j += item_rate · 2 e_j u + pull · (v̄_j − v_j)
 *   u   += user_rate · (2 Σ_j e_j v_j − 2 λ_u u)
 * `received` may be NULL where pull is 0. 7·n·dim + 2·n + 5·dim operations, 4·n·dim + 2·n + 5·dim without
 * a pull. */
void frs_proximal_gradient(float *rows, float *u, const float *errors, const float *received,
    double item_rate, double user_rate, double pull, double lambda_user, size_t n, size_t dim);

/* values += share · (towards − values), n numbers: 3·n operations. */
void frs_proximal_pull(float *values, const float *towards, double share, size_t n);

/* out[j] = row ids[j] of a table. */
void frs_proximal_gather(const float *table, const uint32_t *ids, size_t n, size_t dim, float *out);

/* out = a − b, n numbers. */
void frs_proximal_difference(const float *a, const float *b, size_t n, float *out);

#endif
