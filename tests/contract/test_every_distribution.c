/* Every distribution of the registry keeps to its contract. */
#include "tests/contract/every_entry.h"

START_TEST(distributions_keep_to_their_contract) {
    expect_kept("distribution", _i);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every distribution");
    TCase *tests = tcase_create("every distribution");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, distributions_keep_to_their_contract, 0, n_entries("distribution"));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
