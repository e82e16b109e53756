/* Screening designs: balanced and orthogonal columns, and effects that come back from a sum of them. */
#include "analysis/statistics/screening.h"
#include "tests/support.h"

START_TEST(columns) {
    static const size_t sizes[] = {4, 8, 12};
    for (size_t i = 0; i < 3; i++) {
        size_t n = sizes[i];
        for (size_t a = 0; a + 1 < n; a++) {
            ck_assert(!frs_screening_is_high(n, n - 1, a));
            for (size_t b = a; b + 1 < n; b++) {
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
    ck_assert_uint_eq(frs_screening_runs(1), 4);
    ck_assert_uint_eq(frs_screening_runs(3), 4);
    ck_assert_uint_eq(frs_screening_runs(4), 8);
    ck_assert_uint_eq(frs_screening_runs(7), 8);
    ck_assert_uint_eq(frs_screening_runs(11), 12);
}
END_TEST

/* 100 + 3 a − 5 b at high levels: the effects are 3 and −5, and nobody else's. */
START_TEST(effects) {
    double answers[8];
    for (size_t run = 0; run < 8; run++)
        answers[run] = 100 + 3 * frs_screening_is_high(8, run, 0) - 5 * frs_screening_is_high(8, run, 4);
    for (size_t factor = 0; factor < 7; factor++)
        ck_assert_double_eq_tol(frs_screening_effect(answers, 8, factor),
            factor == 0   ? 3
            : factor == 4 ? -5
                          : 0,
            1e-12);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("screening");
    TCase *tests = tcase_create("designs");
    tcase_add_test(tests, columns);
    tcase_add_test(tests, effects);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
