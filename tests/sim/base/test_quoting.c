/* Texts of other people in CSV, Markdown and on a terminal: nothing in them is run, rendered or obeyed. */
#include "sim/base/quoting.h"
#include "sim/base/errors.h"
#include "sim/base/text.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

struct pair {
    const char *text, *quoted;
};

static void expect_all(char *(*quote)(const char *text), const struct pair *pairs, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char *quoted = quote(pairs[i].text);
        ck_assert_str_eq(quoted, pairs[i].quoted);
        free(quoted);
    }
}

#define EXPECT_ALL(quote, pairs) expect_all(quote, pairs, sizeof(pairs) / sizeof *(pairs))

/* ESC and BEL become spaces; CSI as one byte (no UTF-8) and as U+009B, an overlong slash, half a character,
 * and a mark that turns the direction around become question marks. */
START_TEST(a_terminal_is_not_steered) {
    const struct pair pairs[] = {{"", ""}, {"50 % − späte", "50 % − späte"},
        {"\033[2J\033]0;title\a", " [2J ]0;title "}, {"a\r\nb\tc\x7f", "a  b c "},
        {"\x9b"
         "2J",
            "?2J"},
        {"\xc2\x9b"
         "2J",
            "?2J"},
        {"\xc0\xaf", "??"}, {"\xe2\x80", "??"},
        {"a\xe2\x80\xae"
         "b",
            "a?b"},
        {"\xed\xa0\x80", "???"}, {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}};
    EXPECT_ALL(frs_quoted_line, pairs);
}
END_TEST

START_TEST(a_spreadsheet_runs_nothing) {
    const struct pair pairs[] = {{"", ""}, {"fedmf", "fedmf"}, {"50 %, late", "\"50 %, late\""},
        {"say \"a\"", "\"say \"\"a\"\"\""}, {"=1+1", "'=1+1"}, {"+x", "'+x"}, {"-x", "'-x"},
        {"@SUM(A1)", "'@SUM(A1)"}, {"-5", "-5"}, {"+1.5e-3", "+1.5e-3"}, {"-0x10", "'-0x10"}, {"-", "'-"},
        {"\t=1", "' =1"}, {"  =1", "'  =1"}, {"  ", "  "}, {"=a,\"b\"", "\"'=a,\"\"b\"\"\""},
        {"a\nb", "\"a b\""}, {"a;=1", "\"a;=1\""}, {"a=1", "a=1"}};
    EXPECT_ALL(frs_quoted_csv, pairs);
}
END_TEST

START_TEST(markdown_renders_nothing) {
    const struct pair pairs[] = {{"", ""}, {"network.bandwidth_factor", "network.bandwidth_factor"},
        {"<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"}, {"a|b", "a\\|b"},
        {"a\\|b", "a\\\\\\|b"}, {"<!-- end of tables -->\n", "&lt;!-- end of tables --> "},
        {"[x](http://y)", "\\[x\\](http://y)"}, {"*a* _b_ `c`", "\\*a\\* \\_b\\_ \\`c\\`"},
        {"&lt;b", "&amp;lt;b"}, {"a & b", "a & b"}, {"# a", "\\# a"}, {"> a > b", "&gt; a > b"},
        {"- a", "\\- a"}, {"-5 dB", "-5 dB"}, {"\033[2J", " \\[2J"}};
    EXPECT_ALL(frs_quoted_markdown, pairs);
}
END_TEST

/* Whatever a path or a label in an error holds, it is one line. */
START_TEST(errors_are_one_line) {
    struct frs_errors errors = {0};
    char *text = NULL, line[16];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    frs_errors_add(&errors, FRS_ERR_INPUT, "a\033[2J\nb: %s", "\xff");
    frs_errors_print(&errors, out);
    fclose(out);
    ck_assert_str_eq(text, "fedrecsim: a [2J b: ?\n");
    frs_errors_clear(&errors);
    free(text);
    ck_assert_str_eq(frs_text_line("ä\033\xc2\x9b"
                                   "1",
                         line, sizeof line),
        "ä ?1");
    ck_assert_str_eq(
        frs_text_line("0123456789\xc3\xa4\xc3\xa4\xc3\xa4", line, sizeof line), "0123456789\xc3\xa4...");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("quoting");
    TCase *tests = tcase_create("quoting");
    tcase_add_test(tests, a_terminal_is_not_steered);
    tcase_add_test(tests, a_spreadsheet_runs_nothing);
    tcase_add_test(tests, markdown_renders_nothing);
    tcase_add_test(tests, errors_are_one_line);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
