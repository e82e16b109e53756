/* Every non-federated baseline of the registry keeps to its contract. */
#include "tests/contract/every_entry.h"

START_TEST(baselines_keep_to_their_contract) {
    expect_kept("non_federated", _i);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every baseline");
    TCase *tests = tcase_create("every baseline");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, baselines_keep_to_their_contract, 0, n_entries("non_federated"));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
