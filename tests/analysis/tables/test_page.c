/* Tables between two lines of a page, and nothing else of it touched. */
#include "analysis/tables/page.h"
#include "tests/analysis/fixture.h"

static void expect_page(const char *expected) {
    char *text = read_file("page.md");
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(tables_are_replaced_between_marks) {
    write_file("page.md", "# Page\n<!-- tables of a -->\nold\n<!-- end of tables -->\nmore\n"
                          "<!-- tables of b -->\n<!-- end of tables -->\nend\n");
    ck_assert_int_eq(frs_page_check("page.md", "b", &errors), FRS_OK);
    ck_assert_int_eq(frs_page_update("page.md", "b", "| B |\n", &errors), FRS_OK);
    ck_assert_int_eq(frs_page_update("page.md", "a", "| A |\n", &errors), FRS_OK);
    ck_assert_int_eq(frs_page_update("page.md", "a", "| A |\n", &errors), FRS_OK);
    expect_no_error();
    expect_page("# Page\n<!-- tables of a -->\n\n| A |\n\n<!-- end of tables -->\nmore\n"
                "<!-- tables of b -->\n\n| B |\n\n<!-- end of tables -->\nend\n");
}
END_TEST

static void expect_refused(const char *page) {
    write_file("page.md", page);
    ck_assert_int_eq(frs_page_update("page.md", "a", "| A |\n", &errors), FRS_ERR_INPUT);
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_ptr_nonnull(strstr(errors.lines[0],
        "page.md: needs the lines \"<!-- tables of a -->\" and, after it, \"<!-- end of tables -->\""));
    frs_errors_clear(&errors);
    expect_page(page);
}

START_TEST(pages_without_marks_are_refused) {
    expect_refused("# Page\n");
    expect_refused("<!-- tables of a -->\nno end\n");
    expect_refused("<!-- end of tables -->\n<!-- tables of a -->\n");
    expect_refused("<!-- tables of a -->\n<!-- tables of b -->\n<!-- end of tables -->\n");
    expect_refused("<!-- tables of a -->\n<!-- tables of a -->\n<!-- end of tables -->\n");
    ck_assert_int_eq(frs_page_update("none.md", "a", "", &errors), FRS_ERR_INPUT);
    expect_error("none.md: No such file or directory");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("page");
    TCase *tests = tcase_create("page");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, tables_are_replaced_between_marks);
    tcase_add_test(tests, pages_without_marks_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
