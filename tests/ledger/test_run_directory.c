/* Run directories: complete or absent, and never in the place of something that is not a run. */
#include "sim/ledger/run_directory.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/fedrecsim-test-XXXXXX";
static struct frs_errors errors;
static struct frs_run_directory directory;

static char *in(const char *name) {
    static char path[4][256];
    static unsigned at;
    at = (at + 1) % 4;
    snprintf(path[at], sizeof path[at], "%s/%s", folder, name);
    return path[at];
}

static void run(const char *command) {
    char *line = frs_format("cd '%s' && { %s; }", folder, command);
    ck_assert_msg(system(line) == 0, "%s", command);
    free(line);
}

static void setup(void) {
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    errors = (struct frs_errors){0};
}

static void teardown(void) {
    frs_errors_clear(&errors);
    run("rm -rf \"$PWD\"");
}

static void write_file(const char *name, const char *text) {
    FILE *file = frs_run_directory_file(&directory, name, &errors);
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(frs_run_directory_close_file(file, name, &errors), FRS_OK);
}

static void open_run(const char *name, bool force) {
    ck_assert_int_eq(frs_run_directory_open(&directory, in(name), force, &errors), FRS_OK);
    write_file("manifest.json", "{\n  \"program\": \"fedrecsim\"\n}\n");
}

static void make_run(const char *name) {
    open_run(name, false);
    ck_assert_int_eq(frs_run_directory_commit(&directory, &errors), FRS_OK);
}

static void refused(enum frs_status status, enum frs_status expected, const char *text) {
    ck_assert_int_eq(status, expected);
    ck_assert_uint_ge(errors.n, 1);
    const char *last = errors.lines[errors.n - 1];
    ck_assert_msg(strstr(last, text), "\"%s\" is not in: %s", text, last);
    frs_errors_clear(&errors);
}

START_TEST(test_appears_when_complete) {
    open_run("a/b/run", false);
    run("[ ! -e a/b/run ] && [ -e a/b/run.partial-*/manifest.json ]");
    ck_assert_int_eq(frs_run_directory_commit(&directory, &errors), FRS_OK);
    run("[ -e a/b/run/manifest.json ] && [ \"$(ls a/b)\" = run ]");
}
END_TEST

START_TEST(test_trailing_slashes) {
    open_run("run//", false);
    ck_assert_int_eq(frs_run_directory_commit(&directory, &errors), FRS_OK);
    run("[ \"$(ls)\" = run ]");
}
END_TEST

/* Folders made on the way to a run that came to nothing are taken away again; others stay. */
START_TEST(test_discard_leaves_nothing) {
    run("mkdir here");
    open_run("here/a/b/run", false);
    frs_run_directory_discard(&directory);
    run("[ -d here ] && [ -z \"$(ls -A here)\" ]");
    open_run("here/a/b/run", false);
    run("touch here/a/of-somebody-else");
    frs_run_directory_discard(&directory);
    run("[ \"$(find here | sort | tr '\\n' ' ')\" = 'here here/a here/a/of-somebody-else ' ]");
}
END_TEST

START_TEST(test_replaces_a_run_by_force_only) {
    make_run("run");
    run("touch run/old");
    refused(frs_run_directory_open(&directory, in("run"), false, &errors), FRS_ERR_INPUT,
        "run holds an earlier run; replace it with --force or choose another place with --out DIR");
    open_run("run", true);
    run("[ -e run/old ]"); /* until the new one is complete */
    ck_assert_int_eq(frs_run_directory_commit(&directory, &errors), FRS_OK);
    run("[ ! -e run/old ] && [ -e run/manifest.json ] && [ \"$(ls)\" = run ]");
}
END_TEST

START_TEST(test_discard_keeps_the_earlier_run) {
    make_run("run");
    run("touch run/old");
    open_run("run", true);
    frs_run_directory_discard(&directory);
    run("[ -e run/old ] && [ \"$(ls)\" = run ]");
}
END_TEST

/* Among them a folder with the manifest.json of another program. */
START_TEST(test_never_replaces_what_is_no_run) {
    static const char *const makers[] = {"mkdir x", "mkdir x; touch x/thesis.tex", "echo text >x",
        "ln -s nowhere x", "mkdir x; echo '{ \"name\": \"my web page\" }' >x/manifest.json",
        "mkdir x; : >x/manifest.json", "mkdir -p x/manifest.json",
        "mkdir x; echo '{ \"program\": \"other\" }' >x/manifest.json"};
    run(makers[_i]);
    for (int force = 0; force < 2; force++) {
        refused(frs_run_directory_check(in("x"), force, &errors), FRS_ERR_INPUT,
            "x exists and is no run directory");
        refused(frs_run_directory_open(&directory, in("x"), force, &errors), FRS_ERR_INPUT,
            "x exists and is no run");
    }
    run("[ \"$(ls)\" = x ]");
}
END_TEST

/* What turned up at the place while the run was under way is not lost either. */
START_TEST(test_place_taken_meanwhile) {
    open_run("run", true);
    run("mkdir run; touch run/thesis.tex");
    refused(frs_run_directory_commit(&directory, &errors), FRS_ERR_RUN, "the results are in ");
    run("[ -e run/thesis.tex ] && [ -e run.partial-*/manifest.json ]");
    run("rm -rf run run.*");
    open_run("run", false);
    run("mkdir run; echo '{\"program\": \"fedrecsim\"}' >run/manifest.json; touch run/mine");
    refused(frs_run_directory_commit(&directory, &errors), FRS_ERR_RUN, "the results are in ");
    run("[ -e run/mine ] && [ -e run.partial-*/manifest.json ]");
}
END_TEST

START_TEST(test_unwritable) {
    run("touch file");
    refused(frs_run_directory_check(in("file/run"), false, &errors), FRS_ERR_INPUT, "file is not a folder");
    refused(
        frs_run_directory_open(&directory, in("file/a/b"), false, &errors), FRS_ERR_INPUT, "is not a folder");
    refused(frs_run_directory_check("", false, &errors), FRS_ERR_INPUT, "empty name");
    run("[ \"$(ls)\" = file ]");
}
END_TEST

/* A name that is only just short enough has no room for the ending of the temporary one. */
START_TEST(test_long_names) {
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    char *path = frs_format("%s/new/%s", folder, name);
    refused(frs_run_directory_open(&directory, path, false, &errors), FRS_ERR_INPUT, "File name too long");
    run("[ -z \"$(ls)\" ]");
    free(path);
}
END_TEST

START_TEST(test_full_disk) {
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        puts("SKIPPED test_full_disk: there is no /dev/full");
        return;
    }
    fputs("text", full);
    refused(frs_run_directory_close_file(full, "rounds.csv", &errors), FRS_ERR_RUN,
        "rounds.csv could not be written completely: No space left on device");
    full = fopen("/dev/full", "w");
    for (size_t i = 0; i < 100000; i++) /* more than one buffer: the failure came long before the end */
        fputc('x', full);
    refused(frs_run_directory_close_file(full, "rounds.csv", &errors), FRS_ERR_RUN,
        "could not be written completely");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("run directory");
    TCase *tests = tcase_create("run directory");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_appears_when_complete);
    tcase_add_test(tests, test_trailing_slashes);
    tcase_add_test(tests, test_discard_leaves_nothing);
    tcase_add_test(tests, test_replaces_a_run_by_force_only);
    tcase_add_test(tests, test_discard_keeps_the_earlier_run);
    tcase_add_loop_test(tests, test_never_replaces_what_is_no_run, 0, 8);
    tcase_add_test(tests, test_place_taken_meanwhile);
    tcase_add_test(tests, test_unwritable);
    tcase_add_test(tests, test_long_names);
    tcase_add_test(tests, test_full_disk);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
