/* How often samples occur in a batch, by hand. */
#include "algorithms/kernels/steps/tally.h"
#include "tests/algorithms/fixture.h"

/* What stood there before is forgotten. */
START_TEST(tallies_by_hand) {
    static const uint32_t samples[] = {2 << 1 | 1, 0 << 1, 2 << 1, 2 << 1 | 1};
    uint32_t tally[4] = {[0] = 7, [3] = 9};
    frs_tally_fill(tally, 4, samples, 4);
    for (size_t row = 0; row < 4; row++) {
        ck_assert_float_eq(frs_tally_count(tally, row), row == 0 ? 1 : row == 2 ? 3 : 0);
        ck_assert_float_eq(frs_tally_positive(tally, row), row == 2 ? 2 : 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tally");
    TCase *tests = tcase_create("tally");
    tcase_add_test(tests, tallies_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
