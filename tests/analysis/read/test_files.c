/* Drafts: before a file is complete, nothing exists under any name; then it is there as a whole, also in
 * place of another file or of a link. */
#include "analysis/read/files.h"
#include "tests/folder.h"

#include <dirent.h>
#include <sys/stat.h>

static size_t count_files(void) {
    size_t n = 0;
    DIR *list = opendir(".");
    while (readdir(list))
        n++;
    closedir(list);
    return n - 2;
}

static void open_draft(struct frs_draft *draft) {
    ck_assert_int_eq(frs_draft_open(draft, "page", &errors), FRS_OK);
    fputs("new\n", draft->file);
    fflush(draft->file);
}

static void expect_page(const char *expected) {
    char *text = NULL;
    ck_assert_int_eq(frs_contents_read("page", &text, &errors), FRS_OK);
    ck_assert_str_eq(text, expected);
    free(text);
}

START_TEST(no_name_before_its_end) {
    struct frs_draft draft;
    open_draft(&draft);
    ck_assert_uint_eq(count_files(), 0);
    frs_draft_discard(&draft);
    ck_assert_uint_eq(count_files(), 0);
    open_draft(&draft);
    ck_assert_int_eq(frs_draft_commit(&draft, &errors), FRS_OK);
    ck_assert_uint_eq(count_files(), 1);
    expect_page("new\n");
    frs_draft_discard(&draft); /* nothing to do */
}
END_TEST

START_TEST(in_place_of_another) {
    struct frs_draft draft;
    for (int link = 0; link < 2; link++) {
        unlink("page");
        write_file("kept", "kept\n");
        write_file("page", "old, and longer\n");
        if (link)
            ck_assert(unlink("page") == 0 && symlink("kept", "page") == 0);
        open_draft(&draft);
        ck_assert_uint_eq(count_files(), 2);
        ck_assert_int_eq(frs_draft_commit(&draft, &errors), FRS_OK);
        ck_assert_uint_eq(count_files(), 2);
        expect_page("new\n");
        struct stat status;
        ck_assert(lstat("page", &status) == 0 && S_ISREG(status.st_mode));
        ck_assert(stat("kept", &status) == 0 && status.st_size == 5);
    }
}
END_TEST

START_TEST(where_none_can_be) {
    struct frs_draft draft;
    ck_assert_int_eq(frs_draft_open(&draft, "nowhere/page", &errors), FRS_ERR_RUN);
    ck_assert_msg(strstr(errors.lines[0], "nowhere/page"), "%s", errors.lines[0]);
    frs_errors_clear(&errors);
    ck_assert_int_eq(mkdir("page", 0777), 0);
    open_draft(&draft);
    ck_assert_int_eq(frs_draft_commit(&draft, &errors), FRS_ERR_RUN);
    ck_assert_uint_eq(count_files(), 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("files");
    TCase *tests = tcase_create("drafts");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, no_name_before_its_end);
    tcase_add_test(tests, in_place_of_another);
    tcase_add_test(tests, where_none_can_be);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
