/* What opening a sweep's folder again removes: the remains of killed runs of finished points, and nothing
 * that a process may still need. Results are planted, nothing is run. */
#include "sim/base/errors.h"
#include "tests/sim/sweep/fixture.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>

static struct frs_sweep_plan *make_plan(void) {
    static const char *const vary[] = {"rounds.count = 1, 2"};
    struct frs_sweep_request request = {.sections = frs_sections, .file = "s.cfg", .vary = vary, .n_vary = 1};
    struct frs_sweep_plan *plan;
    struct frs_errors errors = {0};
    ck_assert_msg(
        frs_sweep_plan_build(&request, &plan, &errors) == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    return plan;
}

static void open_folder(const struct frs_sweep_plan *plan) {
    struct frs_errors errors = {0};
    int lock;
    ck_assert_int_eq(frs_folder_open("d", plan, FRS_RESUME, &lock, &errors), FRS_OK);
    close(lock);
}

static pid_t ended_process(void) {
    pid_t process = fork();
    if (process == 0)
        _exit(0);
    ck_assert_int_gt(process, 0);
    ck_assert_int_eq(waitpid(process, NULL, 0), process);
    return process;
}

/* Who writes a journal holds a lock on it. */
static int hold(const char *format, long pid) {
    char *path = frs_format(format, pid);
    int file = open(path, O_RDWR);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(flock(file, LOCK_EX | LOCK_NB), 0);
    free(path);
    return file;
}

static bool is_there(const char *format, long pid) {
    char *name = frs_format(format, pid), *path = frs_format("d/%s", name);
    bool there = access(path, F_OK) == 0;
    free(name);
    free(path);
    return there;
}

/* Point 0 is finished, point 1 is not. */
START_TEST(only_leftovers_go) {
    struct frs_sweep_plan *plan = make_plan();
    long gone = ended_process(), here = getpid();
    open_folder(plan);
    ck_assert_int_eq(shell("cp -r real d/points/0000 && sed -i 's/\"scenario_hash\": .*/\"scenario_hash\": "
                           "\"%s\",/' d/points/0000/manifest.json && mkdir d/cache",
                         plan->points[0].hash),
        0);
    ck_assert_int_eq(
        shell("cd d && touch cache/a.journal cache/b.journal.partial-%ld "
              "cache/c.journal.partial-%ld cache/d.journal.partial-1 && cd points && mkdir 0000.partial-%ld "
              "0000.replaced-%ld 0001.partial-%ld && touch 0000.checkpoint 0001.checkpoint "
              "0000.log 0002.log notes.txt 0000.notes && echo word >0001.log",
            gone, here, gone, gone, gone),
        0);
    ck_assert_int_eq(
        shell("cd d && touch sweep.sqlite.partial-%ld report.html.partial-%ld tables.md.partial-%ld "
              "tables.md.partial-%ld-old notes.md.partial-%ld answer.json.partial-%ld "
              "sensitivity.md.partial-%ld "
              "sensitivity.json.partial-%ld && mkdir cells.csv.partial-%ld",
            gone, gone, here, gone, gone, gone, gone, gone, gone),
        0);
    int writing = hold("d/cache/c.journal.partial-%ld", here);
    open_folder(plan);
    close(writing);
    ck_assert(!is_there(
        "cache/d.journal.partial-%ld", 1)); /* no process writes it, whichever has this number here */
    ck_assert(!is_there("points/0000.partial-%ld", gone));
    ck_assert(!is_there("answer.json.partial-%ld", gone));
    ck_assert(!is_there("sensitivity.md.partial-%ld", gone));
    ck_assert(!is_there("sensitivity.json.partial-%ld", gone));
    ck_assert(!is_there("points/0000.replaced-%ld", gone));
    ck_assert(!is_there("points/0000.checkpoint", 0));
    ck_assert(!is_there("points/0000.log", 0));
    ck_assert(!is_there("cache/b.journal.partial-%ld", gone));
    ck_assert(!is_there("sweep.sqlite.partial-%ld", gone));
    ck_assert(!is_there("report.html.partial-%ld", gone));
    ck_assert(is_there("tables.md.partial-%ld", here)); /* `collect` may be writing it */
    ck_assert(is_there("tables.md.partial-%ld-old", gone));
    ck_assert(is_there("notes.md.partial-%ld", gone));
    ck_assert(is_there("cells.csv.partial-%ld", gone));
    /* A point that may be running elsewhere, hours of work, and files of other programs. */
    ck_assert(is_there("points/0001.partial-%ld", gone));
    ck_assert(is_there("points/0001.checkpoint", 0));
    ck_assert(is_there("points/0001.log", 0));
    ck_assert(is_there("points/0002.log", 0)); /* the sweep has no such point */
    ck_assert(is_there("points/notes.txt", 0));
    ck_assert(is_there("points/0000.notes", 0));
    ck_assert(is_there("points/0000/summary.json", 0));
    ck_assert(is_there("cache/a.journal", 0));
    ck_assert(is_there("cache/c.journal.partial-%ld", here));
    frs_sweep_plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("folder");
    TCase *tests = tcase_create("folder");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, only_leftovers_go);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
