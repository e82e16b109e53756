/* Student's t: the distribution behind the intervals and tests of means. */
#ifndef FRS_ANALYSIS_STATISTICS_STUDENT_T_H
#define FRS_ANALYSIS_STATISTICS_STUDENT_T_H

/* P(T ≤ t) of Student's t; df > 0, not necessarily whole, INFINITY for the normal distribution. */
double frs_student_t_cdf(double t, double df);

/* The t with P(T ≤ t) = p, to 1e-10 relative; 0 < p < 1. */
double frs_student_t_quantile(double p, double df);

#endif
