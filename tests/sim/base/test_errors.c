/* Collected error lines and the exit codes they lead to. */
#include "sim/base/errors.h"
#include "tests/sim/base/death.h"
#include "tests/support.h"

static char *printed(const struct frs_errors *errors) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    frs_errors_print(errors, out);
    fclose(out);
    return text;
}

START_TEST(an_empty_list_prints_nothing) {
    struct frs_errors errors = {0};
    char *text = printed(&errors);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(errors.status, FRS_OK);
    frs_errors_clear(&errors);
    free(text);
}
END_TEST

START_TEST(collects_lines_and_keeps_the_first_status) {
    struct frs_errors errors = {0};
    enum frs_status status =
        frs_errors_add(&errors, FRS_ERR_INPUT, "%s:%d: unknown key %s", "a.cfg", 3, "nmae");
    ck_assert_int_eq(status, FRS_ERR_INPUT);
    ck_assert_int_eq(frs_errors_add(&errors, FRS_ERR_RUN, "disk full: 100%%"), FRS_ERR_RUN);
    ck_assert_uint_eq(errors.n, 2);
    ck_assert_int_eq(errors.status, FRS_ERR_INPUT);
    char *text = printed(&errors);
    ck_assert_str_eq(text, "fedrecsim: a.cfg:3: unknown key nmae\nfedrecsim: disk full: 100%\n");
    free(text);
    frs_errors_clear(&errors);
}
END_TEST

START_TEST(many_and_long_lines) {
    struct frs_errors errors = {0};
    char expected[5100];
    for (int i = 0; i < 100; i++)
        frs_errors_add(&errors, FRS_ERR_RUN, "%5000d", i);
    ck_assert_uint_eq(errors.n, 100);
    for (int i = 0; i < 100; i++) {
        snprintf(expected, sizeof expected, "%5000d", i);
        ck_assert_str_eq(errors.lines[i], expected);
    }
    frs_errors_clear(&errors);
}
END_TEST

START_TEST(cleared_list_starts_anew) {
    struct frs_errors errors = {0};
    frs_errors_add(&errors, FRS_ERR_INPUT, "one");
    frs_errors_clear(&errors);
    ck_assert_uint_eq(errors.n, 0);
    ck_assert_int_eq(errors.status, FRS_OK);
    frs_errors_add(&errors, FRS_ERR_RUN, "two");
    ck_assert_int_eq(errors.status, FRS_ERR_RUN);
    ck_assert_str_eq(errors.lines[0], "two");
    frs_errors_clear(&errors);
}
END_TEST

START_TEST(statuses_have_exit_codes) {
    ck_assert_int_eq(frs_exit_code(FRS_OK), 0);
    ck_assert_int_eq(frs_exit_code(FRS_ERR_RUN), 1);
    ck_assert_int_eq(frs_exit_code(FRS_ERR_INPUT), 2);
    ck_assert_int_eq(frs_exit_code(FRS_INTERRUPTED), 130);
    ck_assert_int_eq(frs_exit_code((enum frs_status)99), 1); /* never 0 */
}
END_TEST

static void break_invariant(void) {
    FRS_INVARIANT(1 + 1 == 3, "the sum is %d", 1 + 1);
}

START_TEST(broken_invariant_aborts) {
    int evaluated = 0;
    FRS_INVARIANT(++evaluated, "never printed");
    ck_assert_int_eq(evaluated, 1);
    frs_test_panics(break_invariant, "test_errors.c:");
    frs_test_panics(break_invariant, ": the sum is 2\n");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("errors");
    TCase *tests = tcase_create("errors");
    tcase_add_test(tests, an_empty_list_prints_nothing);
    tcase_add_test(tests, collects_lines_and_keeps_the_first_status);
    tcase_add_test(tests, many_and_long_lines);
    tcase_add_test(tests, cleared_list_starts_anew);
    tcase_add_test(tests, statuses_have_exit_codes);
    tcase_add_test(tests, broken_invariant_aborts);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
