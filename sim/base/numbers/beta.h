/* Beta: the incomplete beta function, as far as Student's t and the beta distribution need it. */
#ifndef FRS_BASE_BETA_H
#define FRS_BASE_BETA_H

/* The continued fraction F of I_x(a, b) = x^a (1 − x)^b / (a B(a, b)) · F (DLMF 8.17.22), evaluated after
 * Lentz; converges fast for x < (a + 1) / (a + b + 2). a, b > 0. */
double frs_beta_fraction(double a, double b, double x);

#endif
