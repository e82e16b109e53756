/* Extremes: the smaller and the larger of two numbers, neither of which is NaN. Unlike fmin and fmax, they
 * need no function call, which would cost time for every packet. */
#ifndef FRS_ACTORS_EXTREMES_H
#define FRS_ACTORS_EXTREMES_H

static inline double frs_smaller(double a, double b) {
    return b < a ? b : a;
}

static inline double frs_larger(double a, double b) {
    return b > a ? b : a;
}

#endif
