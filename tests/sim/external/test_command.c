/* The words of a command: blanks, quotes, variables, and which words name files. */
#include "sim/external/command.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>

static char why[512];

START_TEST(words_by_hand) {
    struct frs_command command;
    setenv("FRS_WORD", "of mine", 1);
    ck_assert(!frs_command_read("python3 it's all", &command, why, sizeof why));
    ck_assert_str_eq(why, "has a quote that does not end");
    ck_assert(
        frs_command_read("  python3 'a b'.py \"\" --x=\"1 2\"\t$FRS_WORD $$ ", &command, why, sizeof why));
    ck_assert_uint_eq(command.n, 6);
    ck_assert_str_eq(command.words[0], "python3");
    ck_assert_str_eq(command.words[1], "a b.py");
    ck_assert_str_eq(command.words[2], "");
    ck_assert_str_eq(command.words[3], "--x=1 2");
    ck_assert_str_eq(command.words[4], "of mine");
    ck_assert_str_eq(command.words[5], "$");
    ck_assert_ptr_null(command.words[6]);
    frs_command_fini(&command);
}
END_TEST

START_TEST(nothing_is_no_command) {
    struct frs_command command;
    static const char *const none[] = {"", "  \t ", "''", "$FRS_NOWHERE_SET"};
    for (size_t i = 0; i < 4; i++)
        ck_assert(!frs_command_read(none[i], &command, why, sizeof why));
    ck_assert(strstr(why, "FRS_NOWHERE_SET"));
}
END_TEST

START_TEST(files_have_digests) {
    struct frs_command command;
    struct frs_digest one, other;
    ck_assert(
        frs_command_read("/proc/self/exe /etc /etc/passwd /etc/hostname nowhere", &command, why, sizeof why));
    ck_assert(frs_command_file(&command, 0, &one));
    ck_assert(!frs_command_file(&command, 1, &one));
    ck_assert(frs_command_file(&command, 2, &other));
    ck_assert_mem_ne(one.bytes, other.bytes, sizeof one.bytes);
    ck_assert(!frs_command_file(&command, 4, &one));
    frs_command_fini(&command);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("command");
    TCase *tests = tcase_create("command");
    tcase_add_test(tests, words_by_hand);
    tcase_add_test(tests, nothing_is_no_command);
    tcase_add_test(tests, files_have_digests);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
