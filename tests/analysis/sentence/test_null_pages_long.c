/* Labels: long */
/* As test_null_pages.c, with 100,000 pages of each kind, and 20,000 of some. */
#include "tests/analysis/sentence/null_pages.h"

START_TEST(test_null_pages_long) {
    expect_few_wrong_pages(100000);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("null_pages_long");
    TCase *tests = tcase_create("null_pages_long");
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, test_null_pages_long);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
