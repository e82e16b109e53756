/* Run directories: complete or absent, and never in the place of something that is not a run. */
#include "sim/base/errors.h"
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

static void commit(void) {
    ck_assert_int_eq(frs_run_directory_commit(&directory, &errors), FRS_OK);
    frs_run_directory_close(&directory);
}

static void make_run(const char *name) {
    open_run(name, false);
    commit();
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
    commit();
    run("[ -e a/b/run/manifest.json ] && [ \"$(ls a/b)\" = run ]");
}
END_TEST

START_TEST(trailing_slashes_do_not_matter) {
    open_run("run//", false);
    commit();
    run("[ \"$(ls)\" = run ]");
}
END_TEST

/* Folders made for a run that failed are removed again; others stay. */
START_TEST(test_discard_leaves_nothing) {
    run("mkdir here");
    open_run("here/a/b/run", false);
    frs_run_directory_close(&directory);
    run("[ -d here ] && [ -z \"$(ls -A here)\" ]");
    open_run("here/a/b/run", false);
    run("touch here/a/of-somebody-else");
    frs_run_directory_close(&directory);
    run("[ \"$(find here | sort | tr '\\n' ' ')\" = 'here here/a here/a/of-somebody-else ' ]");
}
END_TEST

START_TEST(test_replaces_a_run_by_force_only) {
    make_run("run");
    run("echo old >run/rounds.csv");
    refused(frs_run_directory_open(&directory, in("run"), false, &errors), FRS_ERR_INPUT,
        "run holds an earlier run; replace it with --force or choose another place with --out DIR");
    open_run("run", true);
    run("[ -e run/rounds.csv ]"); /* until the new one is complete */
    commit();
    run("[ ! -e run/rounds.csv ] && [ -e run/manifest.json ] && [ \"$(ls)\" = run ]");
}
END_TEST

START_TEST(test_discard_keeps_the_earlier_run) {
    make_run("run");
    run("echo old >run/rounds.csv");
    open_run("run", true);
    frs_run_directory_close(&directory);
    run("[ -e run/rounds.csv ] && [ \"$(ls)\" = run ]");
}
END_TEST

/* Among them a folder with the manifest.json of another program. */
START_TEST(test_never_replaces_what_is_no_run) {
    static const char *const makers[] = {"mkdir x; mkdir x/y", "mkdir x; touch x/thesis.tex", "echo text >x",
        "ln -s nowhere x", "mkdir x; echo '{ \"name\": \"my web page\" }' >x/manifest.json",
        "mkdir x; : >x/manifest.json", "mkdir -p x/manifest.json",
        "mkdir x; echo '{ \"program\": \"other\" }' >x/manifest.json"};
    run(makers[_i]);
    for (int force = 0; force < 2; force++) {
        refused(
            frs_run_place_check(in("x"), force, &errors), FRS_ERR_INPUT, "x exists and is no run directory");
        refused(frs_run_directory_open(&directory, in("x"), force, &errors), FRS_ERR_INPUT,
            "x exists and is no run");
    }
    run("[ \"$(ls)\" = x ]");
}
END_TEST

/* Files that appeared at the place while the run was under way are not lost either, and the results are
 * not mistaken for the remains of a killed run. */
START_TEST(test_place_taken_meanwhile) {
    open_run("run", true);
    run("mkdir run; touch run/thesis.tex");
    refused(frs_run_directory_commit(&directory, &errors), FRS_ERR_RUN, "run.results-1");
    frs_run_directory_close(&directory);
    run("[ -e run/thesis.tex ] && [ -e run.results-1/manifest.json ]");
    run("rm -rf run");
    open_run("run", false);
    run("mkdir run; echo '{\"program\": \"fedrecsim\"}' >run/manifest.json; touch run/mine");
    refused(frs_run_directory_commit(&directory, &errors), FRS_ERR_RUN, "run.results-2");
    frs_run_directory_close(&directory);
    run("[ -e run/mine ] && [ -e run.results-1/manifest.json ] && [ -e run.results-2/manifest.json ]");
}
END_TEST

/* Foreign files in a folder that holds an earlier run: a file, a folder, and names of ours that are something
 * else. */
START_TEST(test_foreign_files_stay) {
    static const char *const makers[] = {"echo mine >run/notes.txt", "mkdir run/rounds.csv.old",
        "mkdir run/events.ndjson", "ln -s /etc/passwd run/clients.csv", "touch run/.hidden",
        "touch run/report.html.partial-mine"};
    static const char *const names[] = {
        "notes.txt", "rounds.csv.old", "events.ndjson", "clients.csv", ".hidden", "report.html.partial-mine"};
    char *text = frs_format("run holds an earlier run and %s, which this program has not written: move that "
                            "elsewhere, or choose another place with --out DIR",
        names[_i]);
    make_run("run");
    run(makers[_i]);
    refused(frs_run_place_check(in("run"), true, &errors), FRS_ERR_INPUT, text);
    refused(frs_run_directory_open(&directory, in("run"), true, &errors), FRS_ERR_INPUT, text);
    run("[ \"$(ls)\" = run ]");
    free(text);
    /* It may also turn up while the new run is under way. */
    run("rm -rf run");
    make_run("run");
    open_run("run", true);
    run(makers[_i]);
    refused(frs_run_directory_commit(&directory, &errors), FRS_ERR_RUN, "the results are in ");
    frs_run_directory_close(&directory);
    run("[ -e run.results-1/manifest.json ] && [ -e run/manifest.json ] && [ \"$(ls -A run | wc -l)\" = 2 ]");
}
END_TEST

/* Who is killed while the page is written leaves a draft of it, which goes with the run. */
START_TEST(test_draft_of_a_page) {
    make_run("run");
    run("touch run/report.html.partial-12");
    ck_assert_int_eq(frs_run_place_check(in("run"), true, &errors), FRS_OK);
    frs_run_place_remove(in("run"));
    run("[ -z \"$(ls)\" ]");
}
END_TEST

START_TEST(an_empty_folder_is_taken) {
    run("mkdir run");
    open_run("run/", false);
    commit();
    run("[ -e run/manifest.json ] && [ \"$(ls)\" = run ]");
}
END_TEST

/* The link stays, and what is written is where it leads. */
START_TEST(test_link_is_followed) {
    run("mkdir far");
    make_run("far/run");
    run("ln -s far/run link; echo old >far/run/rounds.csv");
    refused(frs_run_directory_open(&directory, in("link"), false, &errors), FRS_ERR_INPUT,
        "far/run holds an earlier run; replace it with --force or choose another place with --out DIR");
    open_run("link/", true);
    run("[ -e far/run.partial-* ] && [ -e far/run.lock ]");
    commit();
    run("[ -L link ] && [ ! -e link/rounds.csv ] && [ \"$(ls far)\" = run ] && [ \"$(ls | tr '\n' ' ')\" = "
        "'far "
        "link ' ]");
    run("mkdir elsewhere; ln -s elsewhere empty");
    open_run("empty", false);
    commit();
    run("[ -L empty ] && [ -e elsewhere/manifest.json ]");
}
END_TEST

/* Two at one place: the second is told who the first is. */
START_TEST(test_two_at_one_place) {
    struct frs_run_directory second;
    open_run("run", false);
    char *text = frs_format("run: another run is writing there (process %ld on ", (long)getpid());
    refused(frs_run_directory_open(&second, in("run"), false, &errors), FRS_ERR_INPUT, text);
    refused(
        frs_run_directory_open(&second, in("./run/"), true, &errors), FRS_ERR_INPUT, "./run: another run");
    run("[ -e run.partial-*/manifest.json ]");
    commit();
    run("[ \"$(ls)\" = run ]");
    free(text);
}
END_TEST

/* Whatever number the killed process had, even that of a running one (1, this one): the process that holds
 * the lock is the only one. Files that only resemble leftovers stay. */
START_TEST(test_leftovers_are_tidied) {
    char *numbers = frs_format("for i in 1 999999 %ld %ld-2; do mkdir run.partial-$i; echo '{}' "
                               ">run.partial-$i/summary.json; done; printf 'fedrecsim-lock-1\n' >run.lock",
        (long)getpid(), (long)getpid());
    run(numbers);
    run("mkdir run.partial-7 run.partial-old run2.partial-1; echo mine >run.partial-7/notes.txt; "
        "echo mine >run.partial-8; touch run.partial-old/rounds.csv run2.partial-1/rounds.csv");
    make_run("run");
    run("[ \"$(ls | tr '\n' ' ')\" = 'run run.partial-7 run.partial-8 run.partial-old run2.partial-1 ' ] && "
        "[ -e run.partial-7/notes.txt ] && [ -e run2.partial-1/rounds.csv ]");
    free(numbers);
}
END_TEST

/* Killed between two renames, on a file system that cannot exchange names: the earlier run comes back. */
START_TEST(test_earlier_run_comes_back) {
    make_run("run");
    run("mv run run.replaced-5; mkdir run.partial-5; touch run.partial-5/rounds.csv");
    refused(frs_run_directory_open(&directory, in("run"), false, &errors), FRS_ERR_INPUT,
        "run holds an earlier run; replace it");
    run("[ \"$(ls)\" = run ] && [ -e run/manifest.json ]");
}
END_TEST

START_TEST(a_foreign_lock_is_refused) {
    run("echo 'version = 1' >run.lock");
    refused(frs_run_directory_open(&directory, in("run"), true, &errors), FRS_ERR_INPUT,
        "run.lock is in the way: it is no lock of this program; choose another place with --out DIR");
    run("[ \"$(cat run.lock)\" = 'version = 1' ] && [ \"$(ls)\" = run.lock ]");
    run("rm run.lock; ln -s /etc/passwd run.lock");
    refused(frs_run_directory_open(&directory, in("run"), true, &errors), FRS_ERR_INPUT, "is in the way");
    run("rm run.lock; touch run.lock");
    make_run("run");
    run("[ -e run.lock ] && [ ! -s run.lock ]"); /* it was there before */
}
END_TEST

START_TEST(unwritable_places_are_refused) {
    run("touch file");
    refused(frs_run_place_check(in("file/run"), false, &errors), FRS_ERR_INPUT, "file is not a folder");
    refused(
        frs_run_directory_open(&directory, in("file/a/b"), false, &errors), FRS_ERR_INPUT, "is not a folder");
    refused(frs_run_place_check("", false, &errors), FRS_ERR_INPUT, "empty name");
    run("[ \"$(ls)\" = file ]");
}
END_TEST

/* A name that is only just short enough has no room for the ending of the temporary one. */
START_TEST(too_long_names_are_refused) {
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    char *path = frs_format("%s/new/%s", folder, name);
    refused(frs_run_directory_open(&directory, path, false, &errors), FRS_ERR_INPUT, "File name too long");
    run("[ -z \"$(ls)\" ]");
    free(path);
}
END_TEST

START_TEST(a_full_disk_is_told) {
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        puts("SKIPPED a_full_disk_is_told: there is no /dev/full");
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
    tcase_add_test(tests, trailing_slashes_do_not_matter);
    tcase_add_test(tests, test_discard_leaves_nothing);
    tcase_add_test(tests, test_replaces_a_run_by_force_only);
    tcase_add_test(tests, test_discard_keeps_the_earlier_run);
    tcase_add_loop_test(tests, test_never_replaces_what_is_no_run, 0, 8);
    tcase_add_test(tests, test_place_taken_meanwhile);
    tcase_add_loop_test(tests, test_foreign_files_stay, 0, 6);
    tcase_add_test(tests, test_draft_of_a_page);
    tcase_add_test(tests, an_empty_folder_is_taken);
    tcase_add_test(tests, test_link_is_followed);
    tcase_add_test(tests, test_two_at_one_place);
    tcase_add_test(tests, test_leftovers_are_tidied);
    tcase_add_test(tests, test_earlier_run_comes_back);
    tcase_add_test(tests, a_foreign_lock_is_refused);
    tcase_add_test(tests, unwritable_places_are_refused);
    tcase_add_test(tests, too_long_names_are_refused);
    tcase_add_test(tests, a_full_disk_is_told);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
