/* Student's t against closed forms and printed tables, intervals of means, paired differences. */
#include "analysis/statistics/intervals.h"
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
        ck_assert_double_eq_tol(frs_stats_t_quantile(p, 1) / one, 1, 1e-10);
        ck_assert_double_eq_tol(frs_stats_t_quantile(p, 2) / two, 1, 1e-10);
        ck_assert_double_eq_tol(frs_stats_t_quantile(p, 4), four, 1e-10 * (four + 1));
        ck_assert_double_eq_tol(frs_stats_t_quantile(1 - p, 4), -four, 1e-10 * (four + 1));
    }
    ck_assert_double_eq(frs_stats_t_quantile(0.5, 7), 0);
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
        ck_assert_double_eq_tol(frs_stats_t_quantile(0.95, rows[i].df), rows[i].p95, 5.01e-4);
        ck_assert_double_eq_tol(frs_stats_t_quantile(0.975, rows[i].df), rows[i].p975, 5.01e-4);
        ck_assert_double_eq_tol(frs_stats_t_quantile(0.995, rows[i].df), rows[i].p995, 5.01e-4);
    }
    ck_assert_double_eq_tol(frs_stats_t_quantile(0.975, INFINITY), 1.959963984540054, 1e-10);
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
        ck_assert_double_eq_tol(frs_stats_t_cdf(2.5, df), 0.5 + sum * h / 3, 1e-11);
        ck_assert_double_eq_tol(frs_stats_t_cdf(-2.5, df), 0.5 - sum * h / 3, 1e-11);
    }
}
END_TEST

START_TEST(test_quantile_inverts_the_cdf) {
    for (double df = 0.5; df < 3e6; df *= 1.7)
        for (double p = 0.001; p < 1; p += 0.0333)
            ck_assert_double_eq_tol(frs_stats_t_cdf(frs_stats_t_quantile(p, df), df), p, 1e-11);
}
END_TEST

/* 1 … 5: mean 3, sd √2.5, half width 2.776445·√2.5/√5. */
START_TEST(test_interval_of_a_mean) {
    const double values[] = {1, 2, 3, 4, 5}, same[] = {0.1, 0.1, 0.1};
    struct frs_estimate e = frs_stats_interval(values, 5);
    ck_assert_uint_eq(e.n, 5);
    ck_assert_double_eq(e.mean, 3);
    ck_assert_double_eq_tol(e.sd, 1.5811388300841898, 1e-15);
    ck_assert_double_eq_tol(e.half_width, 2.776445105197793 * sqrt(0.5), 1e-10);
    e = frs_stats_interval(values, 1);
    ck_assert_double_eq(e.mean, 1);
    ck_assert(isnan(e.sd) && isnan(e.half_width));
    e = frs_stats_interval(values, 0);
    ck_assert(e.n == 0 && isnan(e.mean) && isnan(e.half_width));
    e = frs_stats_interval(same, 3);
    ck_assert(e.mean == 0.1 && e.sd == 0 && e.half_width == 0);
}
END_TEST

/* Differences 1, 2, 3: mean 2, sd 1, half width 4.302653/√3. Unpaired: variances 100 and 91 (10·3.033…), df
 * by hand. */
START_TEST(differences_have_their_intervals) {
    const double a[] = {11, 22, 33}, b[] = {10, 20, 30}, constant[] = {4, 4, 4};
    struct frs_estimate paired = frs_stats_paired(a, b, 3), unpaired = frs_stats_unpaired(a, 3, 0, b, 3, 0);
    ck_assert_double_eq(paired.mean, 2);
    ck_assert_double_eq(paired.sd, 1);
    ck_assert_double_eq_tol(paired.half_width, 4.302652729749462 / sqrt(3), 1e-10);
    double u = 121.0 / 3, v = 100.0 / 3, df = (u + v) * (u + v) / (u * u / 2 + v * v / 2);
    ck_assert_double_eq(unpaired.mean, 2);
    ck_assert_double_eq_tol(unpaired.df, df, 1e-12);
    ck_assert_double_eq_tol(unpaired.half_width, frs_stats_t_quantile(0.975, df) * sqrt(u + v), 1e-12);
    ck_assert(isnan(frs_stats_unpaired(a, 3, 0, b, 1, 0).half_width));
    ck_assert(isnan(frs_stats_paired(a, b, 1).half_width));
    const double x[] = {0.5, 0.52, 0.54}, y[] = {0.4, 0.42, 0.44};
    /* The spread of a − ratio × b, in units of mean(b). */
    struct frs_estimate ratio = frs_stats_ratio(a, b, 3);
    double rest[3], mean_a = frs_stats_mean(a, 3), mean_b = frs_stats_mean(b, 3);
    for (size_t i = 0; i < 3; i++)
        rest[i] = (a[i] - mean_a / mean_b * b[i]) / mean_b;
    ck_assert_double_eq(ratio.mean, mean_a / mean_b);
    ck_assert_double_eq_tol(ratio.half_width, 4.302652729749462 * frs_stats_sd(rest, 3) / sqrt(3), 1e-10);
    ck_assert(frs_stats_ratio(a, a, 3).mean == 1 && frs_stats_ratio(a, a, 3).half_width == 0);
    const double zeros[] = {0, 0, 0};
    ck_assert(isnan(frs_stats_ratio(a, zeros, 3).mean) && isnan(frs_stats_ratio(a, zeros, 3).half_width));
    paired = frs_stats_paired(x, y, 3);
    ck_assert_double_eq_tol(paired.mean, 0.1, 1e-15);
    ck_assert(paired.sd == 0 && paired.half_width == 0);
    ck_assert_double_eq(frs_stats_unpaired(constant, 3, 0, constant, 2, 0).half_width, 0);
    ck_assert(isnan(frs_stats_unpaired(a, 3, 0, b, 0, 0).mean));
}
END_TEST

/* Steps of 0.1, 0.1 and none: (0.01 + 0.01)/36. A spread below that of the grid counts as the grid's, one
 * above it as it is. */
START_TEST(grids_bound_the_spread) {
    const double steps[] = {0.1, 0.1, 0}, equal[] = {4, 4}, apart[] = {5, 7, 9};
    ck_assert_double_eq_tol(frs_stats_grid_variance(steps, 3), 0.02 / 36, 1e-17);
    ck_assert_double_eq(frs_stats_grid_variance(steps, 0), 0);
    struct frs_estimate e = frs_stats_at_least(frs_stats_interval(equal, 2), 0.12);
    ck_assert(e.mean == 4 && e.sd == 0);
    ck_assert_double_eq_tol(e.half_width, 12.706204736432095 * sqrt(0.12 / 2), 1e-9);
    e = frs_stats_at_least(frs_stats_interval(apart, 3), 3.9);
    ck_assert_double_eq(e.half_width, frs_stats_interval(apart, 3).half_width);
    ck_assert(isnan(frs_stats_at_least(frs_stats_interval(equal, 1), 1).half_width));
    /* Both sides at their grids: the degrees of freedom are those of the smaller side, and not 3/(1/2 + ...).
     */
    e = frs_stats_unpaired(equal, 2, 0.2, equal, 2, 0.4);
    ck_assert_double_eq(e.df, 1);
    ck_assert_double_eq_tol(e.half_width, 12.706204736432095 * sqrt(0.3), 1e-9);
    /* One of them: u = 4/3, v = 0.2. */
    e = frs_stats_unpaired(apart, 3, 0.1, equal, 2, 0.4);
    double u = 4.0 / 3, v = 0.2;
    ck_assert_double_eq_tol(e.df, (u + v) * (u + v) / (u * u / 2 + v * v), 1e-12);
}
END_TEST

/* 1/C(4, 2), 1/C(6, 3), 1/C(10, 5); and five of five against one of five: C(5, 1)/C(10, 6). */
START_TEST(splits_are_as_likely_as_counted) {
    ck_assert_double_eq_tol(frs_stats_chance_of_split(1, 0, 1), 1.0 / 2, 1e-12);
    ck_assert_double_eq_tol(frs_stats_chance_of_split(2, 0, 2), 1.0 / 6, 1e-12);
    ck_assert_double_eq_tol(frs_stats_chance_of_split(3, 0, 3), 1.0 / 20, 1e-12);
    ck_assert_double_eq_tol(frs_stats_chance_of_split(5, 0, 5), 1.0 / 252, 1e-12);
    ck_assert_double_eq_tol(frs_stats_chance_of_split(5, 1, 5), 5.0 / 210, 1e-12);
    ck_assert_double_eq_tol(frs_stats_chance_of_split(2, 2, 2), 1, 1e-12);
    ck_assert(frs_stats_chance_of_split(1000, 0, 1000) < 1e-300);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("stats");
    TCase *tc = tcase_create("stats");
    tcase_add_test(tc, test_quantiles_with_closed_forms);
    tcase_add_test(tc, test_quantiles_of_printed_tables);
    tcase_add_test(tc, test_cdf_is_the_integral_of_the_density);
    tcase_add_test(tc, test_quantile_inverts_the_cdf);
    tcase_add_test(tc, test_interval_of_a_mean);
    tcase_add_test(tc, differences_have_their_intervals);
    tcase_add_test(tc, grids_bound_the_spread);
    tcase_add_test(tc, splits_are_as_likely_as_counted);
    suite_add_tcase(suite, tc);
    return frs_test_run(suite);
}
