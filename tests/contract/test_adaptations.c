/* Every adaptation of the registry keeps to its contract. */
#include "tests/contract/every_entry.h"

START_TEST(adaptations_keep_to_their_contract) {
    expect_kept("adaptation", _i);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("adaptations");
    TCase *tests = tcase_create("adaptations");
    tcase_add_loop_test(tests, adaptations_keep_to_their_contract, 0, n_entries("adaptation"));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
