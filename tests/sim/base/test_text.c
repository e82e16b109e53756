/* What a log says last. */
#include "sim/base/text.h"
#include "tests/support.h"

#include <stdlib.h>

START_TEST(last_line_is_found) {
    static const struct {
        const char *text, *last;
    } cases[] = {
        {"", ""},
        {" \n\t\r\n", ""},
        {"one", "one"},
        {"one\ntwo words \r\n\n  \n", "two words"},
        {"one\n  two", "two"},
        {"\n\n  one\n", "one"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *last = frs_text_last_line(cases[i].text);
        ck_assert_str_eq(last, cases[i].last);
        free(last);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_test(tests, last_line_is_found);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
