/* Texts of figures: in lines that fit, and as LaTeX and names of files have them. */
#include "analysis/figures/lettering.h"
#include "tests/support.h"

#include <stdlib.h>

static void expect(char *text, const char *expected) {
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(lines_break_at_spaces_and_inside_long_words) {
    expect(frs_lettering_lines("with 30 % of uploads lost", 12), "with 30 % of\nuploads lost");
    expect(frs_lettering_lines("αβγδεζηθ", 3), "αβγ\nδεζ\nηθ");
    expect(frs_lettering_lines("short", 12), "short");
    expect(frs_lettering_lines("", 12), "");
    ck_assert_uint_eq(frs_lettering_count("with 30 % of uploads lost", 12), 2);
    ck_assert_uint_eq(frs_lettering_count("", 12), 0);
    ck_assert_uint_eq(frs_lettering_letters("HR ≥ ½"), 6);
}
END_TEST

/* Nothing of a name is a command, and signs that text lacks are in math mode. */
START_TEST(latex_finds_no_command_in_a_name) {
    expect(frs_lettering_latex("\\input{a} 5 % & #1 x_y $"),
        "\\textbackslash{}input\\{a\\} 5 \\% \\& \\#1 x\\_y \\$");
    expect(frs_lettering_latex("α ≥ 0.5 ± ~^"),
        "$\\alpha$ $\\ge$ 0.5 $\\pm$ \\textasciitilde{}\\textasciicircum{}");
}
END_TEST

START_TEST(files_have_plain_names) {
    expect(frs_lettering_file("hr@10"), "hr@10");
    expect(frs_lettering_file("codec.downlink.alpha"), "codec-downlink-alpha");
    expect(frs_lettering_file("../loss, rate/"), "loss-rate");
    expect(frs_lettering_replaced("5 % of 7 %", " %", " per cent"), "5 per cent of 7 per cent");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lettering");
    TCase *tests = tcase_create("lettering");
    tcase_add_test(tests, lines_break_at_spaces_and_inside_long_words);
    tcase_add_test(tests, latex_finds_no_command_in_a_name);
    tcase_add_test(tests, files_have_plain_names);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
