/* Screening designs: balanced and orthogonal columns, and effects that come back from a sum of them. */
#include "analysis/statistics/screening.h"
#include "tests/support.h"

START_TEST(columns_are_orthogonal) {
    static const size_t sizes[] = {8, 16, 24, 32, 40, 48};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t n = sizes[i];
        for (size_t a = 0; a + 1 < n / 2; a++) {
            ck_assert(!frs_screening_is_high(n, n / 2 - 1, a));
            ck_assert(frs_screening_is_high(n, n - 1, a));
            for (size_t b = a; b + 1 < n / 2; b++) {
                size_t high = 0, both = 0;
                for (size_t run = 0; run < n; run++) {
                    high += frs_screening_is_high(n, run, a);
                    both += frs_screening_is_high(n, run, a) && frs_screening_is_high(n, run, b);
                }
                ck_assert_uint_eq(high, n / 2);
                ck_assert_uint_eq(both, a == b ? n / 2 : n / 4);
            }
        }
    }
    ck_assert_uint_eq(frs_screening_runs(1), 8);
    ck_assert_uint_eq(frs_screening_runs(3), 8);
    ck_assert_uint_eq(frs_screening_runs(4), 16);
    ck_assert_uint_eq(frs_screening_runs(7), 16);
    ck_assert_uint_eq(frs_screening_runs(11), 24);
    ck_assert_uint_eq(frs_screening_runs(12), 32);
    ck_assert_uint_eq(frs_screening_runs(15), 32);
    ck_assert_uint_eq(frs_screening_runs(16), 40);
    ck_assert_uint_eq(frs_screening_runs(19), 40);
    ck_assert_uint_eq(frs_screening_runs(FRS_SCREENING_FACTORS), FRS_SCREENING_RUNS);
}
END_TEST

/* 100 + 3 a − 5 b + 7 a c at high levels, that is +1 and −1: the effects are 6 and −10, and the interaction
 * of a and c counts for neither. */
START_TEST(interactions_do_not_bias_effects) {
    double answers[16];
    for (size_t run = 0; run < 16; run++) {
        double a = frs_screening_is_high(16, run, 0) ? 1 : -1, b = frs_screening_is_high(16, run, 4) ? 1 : -1,
               c = frs_screening_is_high(16, run, 2) ? 1 : -1;
        answers[run] = 100 + 3 * a - 5 * b + 7 * a * c;
    }
    for (size_t factor = 0; factor < 7; factor++)
        ck_assert_double_eq_tol(frs_screening_effect(answers, 16, factor),
            factor == 0   ? 6
            : factor == 4 ? -10
                          : 0,
            1e-12);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("screening");
    TCase *tests = tcase_create("designs");
    tcase_add_test(tests, columns_are_orthogonal);
    tcase_add_test(tests, interactions_do_not_bias_effects);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
