/* Waiting for tasks: what is said when nothing is heard of one, and how a signal ends it. Files are planted,
 * nothing is run. */
#include "sim/base/errors.h"
#include "sim/cluster/batch.h"
#include "tests/sim/run/fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder_of(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", frs_folder, name);
    return path;
}

static void plant(const char *name) {
    int file = open(folder_of(name), O_WRONLY | O_CREAT, 0666);
    ck_assert_int_ge(file, 0);
    close(file);
}

/* A process that acts while the test waits. */
static pid_t later(unsigned ms, void (*act)(void)) {
    pid_t child = fork();
    if (child != 0)
        return child;
    usleep(ms * 1000);
    act();
    _exit(0);
}

static void end_task(void) {
    plant("tasks/0001.ended");
}
static void interrupt(void) {
    kill(getppid(), SIGTERM);
}
static void lose_number(void) {
    plant("tasks/unnumbered");
}

/* Task 0 of 3 has ended, tasks 0 and 1 are waited for. Returns the number of lines on stderr, the first of
 * which begins like `line`. */
static size_t wait_for_two(double silence_s, void (*act)(void), enum frs_status expected, const char *line,
    struct frs_errors *errors) {
    struct frs_task tasks[3] = {{0}};
    struct frs_batch batch = {.folder = frs_folder, .tasks = tasks, .n_tasks = 3, .silence_s = silence_s};
    ck_assert_int_eq(mkdir(folder_of("tasks"), 0777), 0);
    plant("tasks/0000.ended");
    int said = open(folder_of("said"), O_RDWR | O_CREAT, 0666), stderr_was = dup(STDERR_FILENO);
    pid_t child = later(1000, act);
    dup2(said, STDERR_FILENO);
    enum frs_status status = frs_batch_wait(&batch, 0, 2, errors);
    dup2(stderr_was, STDERR_FILENO);
    waitpid(child, NULL, 0);
    ck_assert_int_eq(status, expected);
    char text[4096] = "";
    ssize_t n = pread(said, text, sizeof text - 1, 0);
    ck_assert_int_ge(n, 0);
    ck_assert_msg(strncmp(text, line, strlen(line)) == 0, "said: %s", text);
    size_t n_lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        n_lines++;
    close(said);
    close(stderr_was);
    return n_lines;
}

/* After .2, .4 and .8 s of a second: three lines at most, the first as soon as the time is over. */
START_TEST(silence_is_told_rarely) {
    struct frs_errors errors = {0};
    size_t n = wait_for_two(.2, end_task, FRS_OK, "fedrecsim: no news of task 0001 for 0.", &errors);
    ck_assert_uint_ge(n, 1);
    ck_assert_uint_le(n, 3);
    ck_assert_uint_eq(errors.n, 0);
}
END_TEST

START_TEST(nothing_is_said_before) {
    struct frs_errors errors = {0};
    ck_assert_uint_eq(wait_for_two(300, end_task, FRS_OK, "", &errors), 0);
}
END_TEST

START_TEST(a_signal_ends_it) {
    struct frs_errors errors = {0};
    ck_assert_uint_eq(wait_for_two(300, interrupt, FRS_INTERRUPTED, "", &errors), 0);
    ck_assert_str_eq(errors.lines[0], "interrupted: 1 of 3 tasks have ended, 1 are queued, run, or are lost, "
                                      "and 1 were not submitted; waiting has "
                                      "ended, the tasks have not");
    frs_errors_clear(&errors);
}
END_TEST

START_TEST(a_task_without_its_number_ends_it) {
    struct frs_errors errors = {0};
    wait_for_two(300, lose_number, FRS_ERR_RUN, "", &errors);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "a task was started without its number"));
    frs_errors_clear(&errors);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("batch_wait");
    TCase *tests = tcase_create("batch_wait");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_test(tests, silence_is_told_rarely);
    tcase_add_test(tests, nothing_is_said_before);
    tcase_add_test(tests, a_signal_ends_it);
    tcase_add_test(tests, a_task_without_its_number_ends_it);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
