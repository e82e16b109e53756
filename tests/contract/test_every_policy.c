/* Every round policy of the registry keeps to its contract. */
#include "tests/contract/every_entry.h"

START_TEST(policies_keep_to_their_contract) {
    expect_kept("policy", _i);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every policy");
    TCase *tests = tcase_create("every policy");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, policies_keep_to_their_contract, 0, n_entries("policy"));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
