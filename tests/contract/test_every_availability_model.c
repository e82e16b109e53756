/* Every availability model of the registry keeps to its contract. */
#include "tests/contract/every_entry.h"

START_TEST(models_keep_to_their_contract) {
    expect_kept("availability", _i);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every availability model");
    TCase *tests = tcase_create("every availability model");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, models_keep_to_their_contract, 0, n_entries("availability"));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
