/* The expected smallest … largest of a sample: by counting all samples of three and of five, and against
 * known results for the numbers 1 … N. */
#include "analysis/statistics/order_statistics.h"
#include "tests/support.h"

/* Of 1, 2 and 4 the pairs {1, 2}, {1, 4}, {2, 4}: largest 2, 4, 4, smallest 1, 1, 2. */
START_TEST(pairs_of_three) {
    const double values[] = {1, 2, 4};
    ck_assert_double_eq_tol(frs_expected_order(values, 3, 3, 2, 2), 10.0 / 3, 1e-12);
    ck_assert_double_eq_tol(frs_expected_order(values, 3, 3, 2, 1), 4.0 / 3, 1e-12);
    ck_assert_double_eq_tol(frs_expected_order(values, 3, 3, 1, 1), 7.0 / 3, 1e-12);
    ck_assert_double_eq_tol(frs_expected_order(values, 3, 3, 3, 3), 4, 1e-12);
    ck_assert_double_eq_tol(frs_expected_order(values, 3, 3, 3, 2), 2, 1e-12);
    ck_assert_double_eq_tol(frs_expected_order(values, 3, 3, 3, 1), 1, 1e-12);
}
END_TEST

/* There are ten ways to choose three of five; the middle one is the second value 3 times, the third 4 times,
 * the fourth 3 times. */
START_TEST(middle_of_three_of_five) {
    const double values[] = {0, 10, 100, 1000, 10000};
    ck_assert_double_eq_tol(
        frs_expected_order(values, 5, 5, 3, 2), (3 * 10 + 4 * 100 + 3 * 1000) / 10.0, 1e-9);
}
END_TEST

/* Of 1 … N the one of rank r among k is r (N + 1) / (k + 1) on average. The result stays exact where 1 /
 * C(N, k) underflows. */
START_TEST(means_of_whole_numbers_are_exact) {
    enum { N = 20000 };
    static double values[N];
    for (size_t i = 0; i < N; i++)
        values[i] = (double)(i + 1);
    const struct {
        size_t k, rank;
    } samples[] = {{1, 1}, {2, 2}, {100, 100}, {100, 1}, {5000, 4500}, {19999, 19999}, {N, N}, {N, 1}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        double expected = (double)samples[i].rank * (N + 1) / (double)(samples[i].k + 1);
        ck_assert_double_eq_tol(
            frs_expected_order(values, N, N, samples[i].k, samples[i].rank), expected, 1e-9 * expected);
    }
}
END_TEST

/* Two values that stand for two and three of five: the largest of two is the small one in one of ten pairs.
 */
START_TEST(values_that_stand_for_several) {
    const double values[] = {1, 11};
    ck_assert_double_eq_tol(frs_expected_order(values, 2, 5, 5, 1), 1, 1e-12);
    ck_assert_double_eq_tol(frs_expected_order(values, 2, 5, 5, 4), 11, 1e-12);
    double largest = frs_expected_order(values, 2, 5, 2, 2);
    ck_assert(fabs(largest - (0.1 * 1 + 0.9 * 11)) < 1e-12 || fabs(largest - (0.3 * 1 + 0.7 * 11)) < 1e-12);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("order statistics");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, pairs_of_three);
    tcase_add_test(tests, middle_of_three_of_five);
    tcase_add_test(tests, means_of_whole_numbers_are_exact);
    tcase_add_test(tests, values_that_stand_for_several);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
