/* Ranks and errors by hand; ties and scores that are no numbers. */
#include "algorithms/metrics/metrics.h"
#include "tests/support.h"

#include <math.h>

START_TEST(rank_by_hand) {
    const float scores[] = {0.3f, 0.9f, 0.1f, 0.5f};
    ck_assert_uint_eq(frs_metric_rank(scores, 4, 1), 1);
    ck_assert_uint_eq(frs_metric_rank(scores, 4, 3), 2);
    ck_assert_uint_eq(frs_metric_rank(scores, 4, 0), 3);
    ck_assert_uint_eq(frs_metric_rank(scores, 4, 2), 4);
    ck_assert_uint_eq(frs_metric_rank(scores, 1, 0), 1);
}
END_TEST

START_TEST(ties_count_against_the_held_out_item) {
    const float equal[] = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < 5; i++)
        ck_assert_uint_eq(frs_metric_rank(equal, 5, i), 5);
    const float zeros[] = {0.0f, -0.0f, -1};
    ck_assert_uint_eq(frs_metric_rank(zeros, 3, 0), 2);
}
END_TEST

START_TEST(non_finite_scores_rank_last) {
    const float scores[] = {NAN, INFINITY, -INFINITY, 0.5f, -3};
    ck_assert_uint_eq(frs_metric_rank(scores, 5, 0), 5);
    ck_assert_uint_eq(frs_metric_rank(scores, 5, 1), 5);
    ck_assert_uint_eq(frs_metric_rank(scores, 5, 2), 5);
    ck_assert_uint_eq(frs_metric_rank(scores, 5, 3), 1);
    ck_assert_uint_eq(frs_metric_rank(scores, 5, 4), 2);
    const float diverged[] = {NAN, NAN, NAN};
    ck_assert_uint_eq(frs_metric_rank(diverged, 3, 0), 3);
}
END_TEST

START_TEST(candidates_of_the_same_score) {
    const float scores[] = {0.5f, 0.9f, 0.5f, NAN, 0.5f, -1}, zeros[] = {0.0f, -0.0f, -1};
    ck_assert_uint_eq(frs_metric_tied(scores, 6, 0), 2);
    ck_assert_uint_eq(frs_metric_tied(scores, 6, 1), 0);
    ck_assert_uint_eq(frs_metric_tied(scores, 6, 3), 0);
    ck_assert_uint_eq(frs_metric_tied(zeros, 3, 0), 1);
}
END_TEST

START_TEST(errors_by_hand) {
    const float predicted[] = {3, 4.5f, 1}, actual[] = {4, 4.5f, 3};
    ck_assert_double_eq(frs_metric_mae(predicted, actual, 3), 1);
    ck_assert_double_eq_tol(frs_metric_rmse(predicted, actual, 3), sqrt(5.0 / 3), 1e-15);
    ck_assert_double_eq(frs_metric_rmse(actual, actual, 3), 0);
}
END_TEST

START_TEST(a_prediction_that_is_no_number_is_never_hidden) {
    const float predicted[] = {3, NAN}, infinite[] = {3, INFINITY}, actual[] = {3, 4};
    ck_assert(isnan(frs_metric_mae(predicted, actual, 2)));
    ck_assert(isnan(frs_metric_rmse(predicted, actual, 2)));
    ck_assert(isinf(frs_metric_mae(infinite, actual, 2)));
    ck_assert(isinf(frs_metric_rmse(infinite, actual, 2)));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("metrics");
    TCase *tests = tcase_create("metrics");
    tcase_add_test(tests, rank_by_hand);
    tcase_add_test(tests, ties_count_against_the_held_out_item);
    tcase_add_test(tests, non_finite_scores_rank_last);
    tcase_add_test(tests, candidates_of_the_same_score);
    tcase_add_test(tests, errors_by_hand);
    tcase_add_test(tests, a_prediction_that_is_no_number_is_never_hidden);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
