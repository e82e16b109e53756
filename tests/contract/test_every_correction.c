/* Every correction of an aggregate keeps to its contract, by itself and behind every learner. */
#include "tests/contract/every_entry.h"

START_TEST(corrections_keep_to_their_contract) {
    expect_kept("correction", _i);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every_correction");
    TCase *tests = tcase_create("every_correction");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, corrections_keep_to_their_contract, 0, n_entries("correction"));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
