/* Every privacy mechanism of the registry keeps to its contract. */
#include "tests/contract/every_entry.h"

START_TEST(mechanisms_keep_to_their_contract) {
    expect_kept("mechanism", _i);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every privacy mechanism");
    TCase *tests = tcase_create("every privacy mechanism");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, mechanisms_keep_to_their_contract, 0, n_entries("mechanism"));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
