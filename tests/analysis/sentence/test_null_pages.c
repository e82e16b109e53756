/* How often pages on which all are equal claim that one is better: 400 of each kind, and 80 of some;
 * test_null_pages_long.c has more. */
#include "tests/analysis/sentence/null_pages.h"

START_TEST(null_pages_are_seldom_wrong) {
    expect_few_wrong_pages(400);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("null_pages");
    TCase *tests = tcase_create("null_pages");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, null_pages_are_seldom_wrong);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
