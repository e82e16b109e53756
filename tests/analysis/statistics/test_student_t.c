/* Student's t against closed forms, printed tables and its density. */
#include "analysis/statistics/student_t.h"
#include "tests/support.h"

#include <math.h>

/* Printed tables of Student's t have three digits; these are the values with ten, from the closed forms for
 * 1, 2 and 4 degrees of freedom: tan(π(p − ½)); (2p − 1)·√(2 / (1 − (2p − 1)²)); and, with α = 4p(1 − p),
 * 2·√(cos(arccos(√α) / 3) / √α − 1). */
START_TEST(test_quantiles_with_closed_forms) {
    for (double p = 0.505; p < 0.9999; p += 0.005) {
        double u = 2 * p - 1, root = sqrt(4 * p * (1 - p));
        double one = tan(M_PI * (p - 0.5)), two = u * sqrt(2 / (1 - u * u));
        double four = 2 * sqrt(cos(acos(root) / 3) / root - 1);
        ck_assert_double_eq_tol(frs_student_t_quantile(p, 1) / one, 1, 1e-10);
        ck_assert_double_eq_tol(frs_student_t_quantile(p, 2) / two, 1, 1e-10);
        ck_assert_double_eq_tol(frs_student_t_quantile(p, 4), four, 1e-10 * (four + 1));
        ck_assert_double_eq_tol(frs_student_t_quantile(1 - p, 4), -four, 1e-10 * (four + 1));
    }
    ck_assert_double_eq(frs_student_t_quantile(0.5, 7), 0);
}
END_TEST

/* Any statistics book's table. */
START_TEST(test_quantiles_of_printed_tables) {
    const struct {
        double df, p95, p975, p995;
    } rows[] = {{1, 6.314, 12.706, 63.657}, {2, 2.920, 4.303, 9.925}, {3, 2.353, 3.182, 5.841},
        {4, 2.132, 2.776, 4.604}, {5, 2.015, 2.571, 4.032}, {9, 1.833, 2.262, 3.250},
        {10, 1.812, 2.228, 3.169}, {15, 1.753, 2.131, 2.947}, {19, 1.729, 2.093, 2.861},
        {20, 1.725, 2.086, 2.845}, {29, 1.699, 2.045, 2.756}, {30, 1.697, 2.042, 2.750},
        {40, 1.684, 2.021, 2.704}, {60, 1.671, 2.000, 2.660}, {120, 1.658, 1.980, 2.617},
        {1000, 1.646, 1.962, 2.581}, {1e6, 1.645, 1.960, 2.576}, {INFINITY, 1.645, 1.960, 2.576}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_double_eq_tol(frs_student_t_quantile(0.95, rows[i].df), rows[i].p95, 5.01e-4);
        ck_assert_double_eq_tol(frs_student_t_quantile(0.975, rows[i].df), rows[i].p975, 5.01e-4);
        ck_assert_double_eq_tol(frs_student_t_quantile(0.995, rows[i].df), rows[i].p995, 5.01e-4);
    }
    ck_assert_double_eq_tol(frs_student_t_quantile(0.975, INFINITY), 1.959963984540054, 1e-10);
}
END_TEST

/* The density's integral by Simpson's rule, for degrees of freedom with no closed form, whole or not; 58 and
 * 62 lie on both sides of where the gamma functions give way to their series. */
START_TEST(test_cdf_is_the_integral_of_the_density) {
    const double dfs[] = {0.7, 3, 5.5, 19, 58, 62, 1000};
    for (size_t i = 0; i < sizeof dfs / sizeof *dfs; i++) {
        double df = dfs[i], sum = 0, h = 2.5 / 2000;
        double scale = exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(M_PI * df);
        for (int k = 0; k <= 2000; k++) {
            double weight = k == 0 || k == 2000 ? 1 : k % 2 ? 4 : 2, t = k * h;
            sum += weight * scale * pow(1 + t * t / df, -(df + 1) / 2);
        }
        ck_assert_double_eq_tol(frs_student_t_cdf(2.5, df), 0.5 + sum * h / 3, 1e-11);
        ck_assert_double_eq_tol(frs_student_t_cdf(-2.5, df), 0.5 - sum * h / 3, 1e-11);
    }
}
END_TEST

START_TEST(test_quantile_inverts_the_cdf) {
    for (double df = 0.5; df < 3e6; df *= 1.7)
        for (double p = 0.001; p < 1; p += 0.0333)
            ck_assert_double_eq_tol(frs_student_t_cdf(frs_student_t_quantile(p, df), df), p, 1e-11);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("student_t");
    TCase *tc = tcase_create("student_t");
    tcase_add_test(tc, test_quantiles_with_closed_forms);
    tcase_add_test(tc, test_quantiles_of_printed_tables);
    tcase_add_test(tc, test_cdf_is_the_integral_of_the_density);
    tcase_add_test(tc, test_quantile_inverts_the_cdf);
    suite_add_tcase(suite, tc);
    return frs_test_run(suite);
}
