/* Intervals of means and of differences. */
#include "analysis/statistics/intervals.h"
#include "analysis/statistics/student_t.h"
#include "tests/support.h"

#include <math.h>

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
    ck_assert_double_eq_tol(unpaired.half_width, frs_student_t_quantile(0.975, df) * sqrt(u + v), 1e-12);
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
    /* 22/20, and 0, −2 and 2 are left, in units of 20: a standard deviation of 0.1. */
    const double off[] = {11, 20, 35}, negative[] = {-10, -20, -30};
    ratio = frs_stats_ratio(off, b, 3);
    ck_assert_double_eq_tol(ratio.mean, 1.1, 1e-12);
    ck_assert_double_eq_tol(ratio.sd, 0.1, 1e-12);
    ck_assert_double_eq_tol(ratio.half_width, 0.1 * 4.302652729749462 / sqrt(3), 1e-12);
    ratio = frs_stats_ratio(off, negative, 3);
    ck_assert_double_eq_tol(ratio.mean, -1.1, 1e-12);
    ck_assert_double_eq_tol(ratio.sd, 0.1, 1e-12);
    ck_assert_double_eq_tol(ratio.half_width, 0.1 * 4.302652729749462 / sqrt(3), 1e-12);
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
    Suite *suite = suite_create("intervals");
    TCase *tc = tcase_create("intervals");
    tcase_add_test(tc, test_interval_of_a_mean);
    tcase_add_test(tc, differences_have_their_intervals);
    tcase_add_test(tc, grids_bound_the_spread);
    tcase_add_test(tc, splits_are_as_likely_as_counted);
    suite_add_tcase(suite, tc);
    return frs_test_run(suite);
}
