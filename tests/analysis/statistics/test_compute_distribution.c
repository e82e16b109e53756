/* The distribution of a device: times that follow one, a part that would be negative, and a single time. */
#include "analysis/statistics/compute_distribution.h"
#include "tests/support.h"

#include <math.h>

/* 1 Gflop/s and 1 ms for a thousand samples. */
START_TEST(known_rate_and_sample_time_are_fitted) {
    const struct frs_compute_time times[] = {{1e6, 1000, 2e-3}, {4e6, 1000, 5e-3}, {2e6, 3000, 5e-3}};
    struct frs_compute_distribution distribution = frs_compute_fit(times, 3);
    ck_assert_double_eq_tol(distribution.flop_per_s, 1e9, 1);
    ck_assert_double_eq_tol(distribution.s_per_sample, 1e-6, 1e-15);
    ck_assert_double_eq_tol(
        frs_compute_distribution_s(&distribution, &(struct frs_compute_time){1e6, 5000, 0}), 6e-3, 1e-12);
}
END_TEST

/* Twice the operations in more than twice the time: samples would have to take less than none. 1 / rate is
 * then the sum of flop / s over the sum of its squares: (1e9 + 0.5e9) / (1e18 + 0.25e18). */
START_TEST(fitted_parts_are_never_negative) {
    const struct frs_compute_time times[] = {{1e6, 1000, 1e-3}, {2e6, 1000, 4e-3}};
    struct frs_compute_distribution distribution = frs_compute_fit(times, 2);
    ck_assert_double_eq(distribution.s_per_sample, 0);
    ck_assert_double_eq_tol(distribution.flop_per_s, 1.25 / 1.5 * 1e9, 1);
    distribution = frs_compute_fit(times, 1);
    ck_assert_double_eq(distribution.s_per_sample, 0);
    ck_assert_double_eq_tol(distribution.flop_per_s, 1e9, 1);
}
END_TEST

/* As long for any number of operations: they are still not free. */
START_TEST(samples_alone_leave_operations_a_cost) {
    const struct frs_compute_time times[] = {{1e6, 1000, 1e-3}, {4e6, 1000, 1e-3}};
    struct frs_compute_distribution distribution = frs_compute_fit(times, 2);
    ck_assert(isfinite(distribution.flop_per_s));
    ck_assert_double_eq_tol(distribution.s_per_sample, 1e-6, 1e-8);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("compute distribution");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, known_rate_and_sample_time_are_fitted);
    tcase_add_test(tests, fitted_parts_are_never_negative);
    tcase_add_test(tests, samples_alone_leave_operations_a_cost);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
