/* Every selection of the registry keeps to its contract. */
#include "tests/contract/every_entry.h"

START_TEST(selections_keep_to_their_contract) {
    expect_kept("selection", _i);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("selections");
    TCase *tests = tcase_create("selections");
    tcase_add_loop_test(tests, selections_keep_to_their_contract, 0, n_entries("selection"));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
