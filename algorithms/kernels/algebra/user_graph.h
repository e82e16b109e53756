/* A graph of users on the server: how similar n uploaded tables are, and a mixture of them for every user.
 *
 * The functions take tables as deviations X_u from a common table g, a stretch of columns at a time, so
 * that at most one stretch is in memory side by side. Matrices are [n × n] float32, row-major. */
#ifndef FRS_ALGORITHMS_USER_GRAPH_H
#define FRS_ALGORITHMS_USER_GRAPH_H

#include "sim/base/arena.h"

#include <stdbool.h>

/* products += X Xᵀ over `width` columns, x [n × width], in the rows of `count` users from `first` on; only u
 * ≤ v is kept. For all users n·(n + 1)·width operations. */
void frs_user_graph_add_products(
    float *products, const float *x, size_t n, size_t width, size_t first, size_t count);

/* Turns products into distances: with g·g and the n values g·X_u, products [n × n] become the cosine
 * distances 1 − ⟨g + X_u, g + X_v⟩ / (‖g + X_u‖ ‖g + X_v‖), within 0 and 2 and 0 to oneself; 1 where a table
 * is all zeros. */
void frs_user_graph_distances(
    float *products, double g_squared, const double *g_times_x, size_t n, struct frs_arena *arena);

struct frs_neighbourhood {
    bool farthest;    /* who is least similar, instead of most */
    size_t n;         /* so many; 0: by the threshold */
    double threshold; /* neighbours are those above this threshold times the mean over all pairs, oneself
                         included: of the cosine, or of the distance where the farthest are wanted */
};

/* Turns distances into weights: 1/k for each of a user's k neighbours, 0 for the others. A user without
 * neighbours is its own neighbour. Ties go to the first users. */
void frs_user_graph_neighbours(
    float *distances, size_t n, const struct frs_neighbourhood *settings, struct frs_arena *arena);

#define FRS_USERS_ALIKE 0.1F /* pFedGraph: a distance below it counts as none */

/* Distances become the weights w_u ≥ 0, Σ_v w_uv = 1, that minimise
 *
 *     α ‖w_u − p‖² − Σ_v w_uv · cosine(u, v)
 *
 * with p the shares [n] of the data: p − distance/(2α) projected onto the simplex (Duchi et al. 2008),
 * exactly. Cosines above .9 count as 1 (the published code of pFedGraph). */
void frs_user_graph_learn(
    float *distances, size_t n, const double *shares, double alpha, struct frs_arena *arena);

/* out [count × width] = rows first … first + count − 1 of weights · x [n × width]. 2·count·n·width
 * operations. */
void frs_user_graph_mix(
    const float *weights, const float *x, size_t n, size_t width, size_t first, size_t count, float *out);

#endif
