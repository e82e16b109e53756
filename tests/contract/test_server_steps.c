/* Every server optimiser of the registry keeps its contract, by itself and behind every learner; learners
 * behind every optimiser are in test_learners.c. */
#include "tests/contract/every_entry.h"

START_TEST(optimisers_keep_to_their_contract) {
    expect_kept("optimiser", _i);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("server_steps");
    TCase *tests = tcase_create("server_steps");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, optimisers_keep_to_their_contract, 0, n_entries("optimiser"));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
