/* Simulated time of a run from its first rounds, by hand. */
#include "sim/forecast/caps_pace.h"
#include "sim/forecast/extrapolation.h"
#include "tests/support.h"

#include <math.h>

START_TEST(all_rounds_were_played) {
    const double ends_s[] = {3, 5, 9};
    struct frs_extrapolation extrapolation = frs_extrapolation_of(ends_s, 3, 3, INFINITY, 0.1, true);
    ck_assert_double_eq(extrapolation.middle_s, 9);
    ck_assert_double_eq(extrapolation.n_rounds, 3);
    ck_assert_double_eq_tol(extrapolation.low_s, 8.1, 1e-12);
    ck_assert_double_eq_tol(extrapolation.high_s, 9.9, 1e-12);
}
END_TEST

START_TEST(rounds_of_equal_length) {
    /* A first round of 10 s, eight of 2 s: 26 s. The later two thirds have no spread; 91 rounds of 2 s are
     * left, 182 s, give or take a twentieth. */
    double ends_s[9] = {10};
    for (int i = 1; i < 9; i++)
        ends_s[i] = ends_s[i - 1] + 2;
    struct frs_extrapolation extrapolation = frs_extrapolation_of(ends_s, 9, 100, INFINITY, 0, true);
    ck_assert_double_eq_tol(extrapolation.middle_s, 208, 1e-9);
    ck_assert_double_eq(extrapolation.n_rounds, 100);
    ck_assert_double_eq_tol(extrapolation.low_s, 208 - 9.1, 1e-9);
    ck_assert_double_eq_tol(extrapolation.high_s, 208 + 9.1, 1e-9);
}
END_TEST

START_TEST(rounds_that_vary) {
    /* Two rounds of 2 s, then 1, 3, 1, 3 s: mean 2 s, variance 4/3. 10 rounds are left, 20 s; their sum has a
     * variance of 10 · 4/3, and 10 times the mean one of 100 · 4/3 / 4. Student's t for 95 % with 3 degrees
     * of freedom: 3.182446. */
    const double ends_s[] = {2, 4, 5, 8, 9, 12};
    struct frs_extrapolation extrapolation = frs_extrapolation_of(ends_s, 6, 16, INFINITY, 0, true);
    double spread_s = 3.182446305 * sqrt(10 * 4 / 3.0 + 100 / 3.0) + 0.05 * 20;
    ck_assert_double_eq_tol(extrapolation.middle_s, 32, 1e-9);
    ck_assert_double_eq_tol(extrapolation.high_s, 32 + spread_s, 1e-5);
    ck_assert_double_eq(extrapolation.low_s, 12); /* 32 - 22.7 would be less than what has passed already */
}
END_TEST

START_TEST(rounds_that_resemble_each_other) {
    /* Ten rounds of 2 s, then two of 1 s and two of 3 s in turn: ten stretches of two rounds, each 1 s off
     * the mean of 2 s, tell a variance of 10 · 2/9 in the long run, though that of single rounds is 20/19.
     * Ten rounds are left: 10 · 20/9 for their sum, and 100 · 20/9 / 20 for the mean. Student's t with 9
     * degrees of freedom: 2.262157. */
    double ends_s[30] = {2};
    for (int i = 1; i < 30; i++)
        ends_s[i] = ends_s[i - 1] + (i < 10 ? 2 : i % 4 >= 2 ? 1 : 3);
    struct frs_extrapolation extrapolation = frs_extrapolation_of(ends_s, 30, 40, INFINITY, 0, true);
    double spread_s = 2.262157163 * sqrt(200 / 9.0 + 100 / 9.0) + 0.05 * 20;
    ck_assert_double_eq_tol(extrapolation.middle_s, 80, 1e-9);
    ck_assert_double_eq_tol(extrapolation.high_s, 80 + spread_s, 1e-5);
}
END_TEST

START_TEST(one_round_has_the_usual_deviation) {
    /* A round of 10 s, and ten to go: the usual deviation is .8 s where no client is lost, and 3 s otherwise,
     * of a round and of the mean. */
    const double ends_s[] = {10};
    struct frs_extrapolation extrapolation = frs_extrapolation_of(ends_s, 1, 11, INFINITY, 0, false);
    ck_assert_double_eq_tol(extrapolation.middle_s, 110, 1e-9);
    ck_assert_double_eq_tol(extrapolation.high_s, 110 + 0.8 * sqrt(10 + 100) + 5, 1e-9);
    extrapolation = frs_extrapolation_of(ends_s, 1, 11, INFINITY, 0, true);
    ck_assert_double_eq_tol(extrapolation.high_s, 110 + 3 * sqrt(10 + 100) + 5, 1e-9);
}
END_TEST

START_TEST(time_ends_the_run) {
    /* Rounds of 2 s: the 25th is the first to end at 49 s or later. */
    double ends_s[10];
    for (int i = 0; i < 10; i++)
        ends_s[i] = 2 * (i + 1);
    struct frs_extrapolation extrapolation = frs_extrapolation_of(ends_s, 10, 100, 49, 0, true);
    ck_assert_double_eq(extrapolation.n_rounds, 25);
    ck_assert_double_eq_tol(extrapolation.middle_s, 50, 1e-9);
    /* What varies is the round that passes the time. */
    ck_assert_double_eq_tol(extrapolation.high_s, 51.5, 1e-9);
    /* It has been passed. */
    extrapolation = frs_extrapolation_of(ends_s, 10, 100, 20, 0, true);
    ck_assert_double_eq(extrapolation.n_rounds, 10);
    ck_assert_double_eq(extrapolation.high_s, 20);
}
END_TEST

/* How often a participation of 400 bytes, half of them metered, and 1 J fits: the tightest cap decides,
 * whichever it is, and one participation always fits. */
START_TEST(the_tightest_cap_decides) {
    static const struct frs_caps_each each = {.bytes = 400, .energy_j = 1, .metered_bytes = 200};
    static const struct {
        double bytes, energy_j, metered_bytes, fit;
    } cases[] = {{1000, 9, 900, 2}, {8000, 3.5, 900, 3}, {8000, 9, 900, 4}, {300, 9, 900, 1},
        {INFINITY, 9, INFINITY, 9}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_double_eq(frs_caps_fit(&(struct frs_caps){.bytes = cases[i].bytes,
                                             .energy_j = cases[i].energy_j,
                                             .metered_bytes = cases[i].metered_bytes},
                                &each),
            cases[i].fit);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("outlook");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, all_rounds_were_played);
    tcase_add_test(tests, one_round_has_the_usual_deviation);
    tcase_add_test(tests, rounds_of_equal_length);
    tcase_add_test(tests, rounds_that_vary);
    tcase_add_test(tests, rounds_that_resemble_each_other);
    tcase_add_test(tests, time_ends_the_run);
    tcase_add_test(tests, the_tightest_cap_decides);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
