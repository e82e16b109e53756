/* What a log says last; counts in groups of three digits. */
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

START_TEST(counts_are_grouped) {
    static const struct {
        uint64_t n;
        const char *text;
    } cases[] = {
        {0, "0"},
        {999, "999"},
        {1000, "1,000"},
        {1234567, "1,234,567"},
        {UINT64_MAX, "18,446,744,073,709,551,615"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FRS_TEXT_COUNT_CHARS];
        ck_assert_str_eq(frs_text_count(cases[i].n, text), cases[i].text);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_add_test(tests, last_line_is_found);
    tcase_add_test(tests, counts_are_grouped);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
