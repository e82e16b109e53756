/* New files under names that others can guess: a link that stands there is removed, what it leads to stays.
 */
#include "sim/base/files/create.h"
#include "sim/base/errors.h"
#include "tests/folder.h"

#include <errno.h>
#include <sys/stat.h>

static void expect_content(const char *name, const char *text) {
    char read[64] = "";
    FILE *file = fopen(name, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(read, 1, sizeof read - 1, file), strlen(text));
    ck_assert_str_eq(read, text);
    fclose(file);
}

static void create(const char *name) {
    FILE *file = frs_create(name);
    ck_assert_ptr_nonnull(file);
    fputs("ours", file);
    ck_assert_int_eq(fclose(file), 0);
    expect_content(name, "ours");
}

START_TEST(a_link_is_not_followed) {
    struct stat status;
    write_file("theirs", "theirs");
    ck_assert_int_eq(symlink("theirs", "x"), 0);
    create("x");
    expect_content("theirs", "theirs");
    ck_assert_int_eq(symlink("nowhere", "y"), 0);
    create("y");
    ck_assert_int_eq(access("nowhere", F_OK), -1);
    ck_assert_int_eq(link("theirs", "z"), 0);
    create("z");
    expect_content("theirs", "theirs");
    create("z"); /* and once more, over what is there */
    ck_assert_int_eq(lstat("x", &status), 0);
    ck_assert(S_ISREG(status.st_mode));
}
END_TEST

START_TEST(folders_on_the_way_may_be_links) {
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_int_eq(symlink("folder", "link"), 0);
    create("link/x");
    expect_content("folder/x", "ours");
}
END_TEST

START_TEST(a_file_of_a_user_is_left_alone) {
    write_file("theirs", "theirs");
    ck_assert_int_eq(symlink("nowhere", "link"), 0);
    ck_assert_int_eq(frs_create_whole("theirs", "ours", 4, "another name", &errors), FRS_ERR_INPUT);
    ck_assert_str_eq(errors.lines[0], "theirs: is there already, and is left alone; allowed: another name");
    ck_assert_int_eq(frs_create_whole("link", "ours", 4, "another name", &errors), FRS_ERR_INPUT);
    ck_assert_int_eq(access("nowhere", F_OK), -1);
    expect_content("theirs", "theirs");
    ck_assert_int_eq(frs_create_whole("new", "ours", 4, "another name", &errors), FRS_OK);
    expect_content("new", "ours");
}
END_TEST

START_TEST(a_file_gets_its_name_when_it_is_whole) {
    int file = frs_create_nameless("x");
    if (file < 0)
        return; /* a file system without such files */
    ck_assert_int_eq(write(file, "ours", 4), 4);
    ck_assert_int_eq(access("x", F_OK), -1);
    ck_assert(frs_create_name(file, "x"));
    expect_content("x", "ours");
    ck_assert(!frs_create_name(file, "x"));
    ck_assert_int_eq(errno, EEXIST);
    close(file);
    ck_assert_int_eq(frs_create_whole("nowhere/x", "ours", 4, "another name", &errors), FRS_ERR_INPUT);
    ck_assert_str_eq(errors.lines[0], "nowhere/x: No such file or directory");
}
END_TEST

START_TEST(what_is_in_the_way_is_told) {
    ck_assert_int_eq(mkdir("folder", 0777), 0);
    ck_assert_ptr_null(frs_create("folder"));
    ck_assert_int_eq(errno, EISDIR);
    ck_assert_ptr_null(frs_create("nowhere/x"));
    ck_assert_int_eq(errno, ENOENT);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("create");
    TCase *tests = tcase_create("create");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, a_link_is_not_followed);
    tcase_add_test(tests, folders_on_the_way_may_be_links);
    tcase_add_test(tests, a_file_gets_its_name_when_it_is_whole);
    tcase_add_test(tests, a_file_of_a_user_is_left_alone);
    tcase_add_test(tests, what_is_in_the_way_is_told);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
