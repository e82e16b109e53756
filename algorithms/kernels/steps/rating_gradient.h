/* Rating gradient: of one client's squared errors by the rows of its items, Σ (r_i − u · v_i)². */
#ifndef FRS_ALGORITHMS_RATING_GRADIENT_H
#define FRS_ALGORITHMS_RATING_GRADIENT_H

#include <stddef.h>

/* Every row v_i of [n × dim] becomes its gradient −2 (r_i − u · v_i) u. Returns Σ e²; 4·dim + 3 operations a
 * row. */
double frs_rating_gradient(float *rows, const float *ratings, size_t n, size_t dim, const float *u);

#endif
