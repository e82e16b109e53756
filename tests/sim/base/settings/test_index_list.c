/* Numbers of things as a text, and back. */
#include "sim/base/settings/index_list.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <stdlib.h>

START_TEST(lists_are_read) {
    static const struct {
        const char *text, *list;
    } cases[] = {
        {"0", "0"},
        {"7,3,3-4", "3-4,7"},
        {"0-19,25", "0-19,25"},
        {"19", "19"},
        {"5-5,6", "5-6"},
        {"2,0,1", "0-2"},
        {"0,2,4", "0,2,4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t *list, n;
        ck_assert(frs_index_list_parse(cases[i].text, 25, &list, &n));
        char *text = frs_index_list_format(list, n);
        ck_assert_str_eq(text, cases[i].list);
        free(text);
        free(list);
    }
}
END_TEST

START_TEST(others_are_refused) {
    static const char *const texts[] = {"", ",", "1,", ",1", "-1", "1-", "3-2", "26", "0-26", "1 ", " 1",
        "+1", "1;2", "1--2", "1-2-3", "x", "99999999999999999999"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t *list, n;
        ck_assert_msg(!frs_index_list_parse(texts[i], 25, &list, &n), "\"%s\" is taken", texts[i]);
        ck_assert_ptr_null(list);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("index_list");
    TCase *tests = tcase_create("index_list");
    tcase_add_test(tests, lists_are_read);
    tcase_add_test(tests, others_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
