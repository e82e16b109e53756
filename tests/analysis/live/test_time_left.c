/* Time left: figures by hand, and how often the range holds what it takes in the end. */
#include "analysis/live/time_left.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>

/* Mean 2, standard deviation 1, t of two degrees of freedom 4.3027: 6 ± 4.3027 √(3 + 9/3). */
START_TEST(three_points_by_hand) {
    const double durations_s[] = {1, 2, 3};
    struct frs_time_left left = frs_time_left_of_points(durations_s, 3, 3, 0, 1);
    ck_assert_double_eq_tol(left.s, 6, 1e-12);
    ck_assert_double_eq_tol(left.high_s - left.s, 4.30265273 * sqrt(6), 1e-6);
    ck_assert_double_eq(left.low_s, 0); /* not below */
    ck_assert_uint_eq(left.n, 3);
    left = frs_time_left_of_points(durations_s, 3, 3, 1.5, 2); /* two at a time, and some of it done */
    ck_assert_double_eq_tol(left.s, (6 - 1.5) / 2, 1e-12);
    left = frs_time_left_of_points(durations_s, 3, 1, 0, 8); /* one alone takes as long */
    ck_assert_double_eq_tol(left.s, 2, 1e-12);
}
END_TEST

START_TEST(too_little_says_nothing) {
    const double durations_s[] = {1, 2};
    struct frs_marks marks = {0};
    ck_assert(isnan(frs_time_left_of_points(durations_s, 2, 3, 0, 1).s));
    ck_assert(isnan(frs_time_left_of_rounds(&marks, 10, 1).s));
    for (size_t i = 0; i <= 2; i++)
        frs_marks_add(&marks, (double)i, i);
    ck_assert(isnan(frs_time_left_of_rounds(&marks, 10, 2).s));
    frs_marks_add(&marks, 3, 10);
    ck_assert(isnan(frs_time_left_of_rounds(&marks, 10, 3).s)); /* all of them are done */
    frs_marks_fini(&marks);
}
END_TEST

/* A round in 2 s: 5 are left, the last one ended 1 s ago; no spread. */
START_TEST(even_rounds) {
    struct frs_marks marks = {0};
    for (size_t i = 0; i <= 20; i++)
        frs_marks_add(&marks, 100 + 2 * (double)i, i);
    struct frs_time_left left = frs_time_left_of_rounds(&marks, 25, 141);
    ck_assert_double_eq_tol(left.s, 9, 1e-9);
    ck_assert_double_eq_tol(left.low_s, 9, 1e-9);
    ck_assert_double_eq_tol(left.high_s, 9, 1e-9);
    frs_marks_fini(&marks);
}
END_TEST

/* A resumed run replays 1000 rounds in a second: what counts are those behind them, of 5 s each. */
START_TEST(replayed_rounds_do_not_count) {
    struct frs_marks marks = {0};
    for (size_t i = 0; i <= 1000; i++)
        frs_marks_add(&marks, 1e-3 * (double)i, i);
    for (size_t i = 1; i <= 20; i++)
        frs_marks_add(&marks, 1 + 5 * (double)i, 1000 + i);
    struct frs_time_left left = frs_time_left_of_rounds(&marks, 1120, 101);
    ck_assert_double_eq_tol(left.s, 500, 1e-6);
    frs_marks_fini(&marks);
}
END_TEST

/* Many marks are thinned out, and the last one stays. */
START_TEST(marks_are_few) {
    struct frs_marks marks = {0};
    for (size_t i = 0; i <= 100000; i++)
        frs_marks_add(&marks, 0.1 * (double)i, i);
    ck_assert_uint_le(marks.n, 512);
    ck_assert_uint_eq(marks.done[marks.n - 1], 100000);
    struct frs_time_left left = frs_time_left_of_rounds(&marks, 101000, 10000);
    ck_assert_double_eq_tol(left.s, 100, 1e-6);
    frs_marks_fini(&marks);
}
END_TEST

static double drawn(struct frs_rng *rng) {
    return 0.2 + frs_rng_exponential(rng);
}

/* Rounds whose durations vary by as much as their mean: about 95 of 100 ranges hold the time that is left. */
START_TEST(ranges_hold) {
    enum { CASES = 600, DONE = 60, ALL = 100 };
    size_t n_held = 0, n = FRS_TEST_CASES(CASES);
    struct frs_rng rng = frs_rng_stream(46, 0, 0, 0, FRS_RNG_COHORT);
    for (size_t k = 0; k < n; k++) {
        struct frs_marks marks = {0};
        double now_s = 0, left_s = 0;
        frs_marks_add(&marks, 0, 0);
        for (size_t i = 1; i <= DONE; i++)
            frs_marks_add(&marks, now_s += drawn(&rng), i);
        for (size_t i = DONE; i < ALL; i++)
            left_s += drawn(&rng);
        struct frs_time_left left = frs_time_left_of_rounds(&marks, ALL, now_s);
        n_held += left.low_s <= left_s && left_s <= left.high_s;
        frs_marks_fini(&marks);
    }
    ck_assert_double_ge((double)n_held / (double)n, 0.90);
    ck_assert_double_le((double)n_held / (double)n, 0.99);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("time_left");
    TCase *tests = tcase_create("time_left");
    tcase_add_test(tests, three_points_by_hand);
    tcase_add_test(tests, too_little_says_nothing);
    tcase_add_test(tests, even_rounds);
    tcase_add_test(tests, replayed_rounds_do_not_count);
    tcase_add_test(tests, marks_are_few);
    tcase_add_test(tests, ranges_hold);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
