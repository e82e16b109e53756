/* Locks: held as long as the process that took them lives, and distinguished from files that are no locks;
 * on file systems without locks their text decides. */
#include "sim/base/files/lock.h"
#include "tests/folder.h"

#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static struct frs_lock lock;
static bool no_locks; /* as on a file system that has none */

/* In the place of the C library's. */
int flock(int file, int operation) {
    if (no_locks) {
        errno = ENOLCK;
        return -1;
    }
    return (int)syscall(SYS_flock, file, operation);
}

static void setup(void) {
    fixture_setup();
    no_locks = false;
}

static enum frs_status take(void) {
    return frs_lock_take(&lock, "x.lock", "x: taken", &errors);
}

static void expect_taken(void) {
    ck_assert_int_eq(take(), FRS_OK);
    expect_no_error();
    frs_lock_release(&lock);
    ck_assert_int_ne(access("x.lock", F_OK), 0);
}

static void expect_held(const char *begin, const char *end) {
    ck_assert_int_eq(take(), FRS_ERR_INPUT);
    ck_assert_uint_eq(errors.n, 1);
    const char *line = errors.lines[0];
    ck_assert_msg(strncmp(line, begin, strlen(begin)) == 0, "%s", line);
    ck_assert_msg(strcmp(line + strlen(line) - strlen(end), end) == 0, "%s", line);
    frs_errors_clear(&errors);
}

/* A process that holds the lock until it is killed. */
static pid_t holder(void) {
    int ends[2];
    char byte;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t process = fork();
    if (process == 0) {
        if (take() == FRS_OK && write(ends[1], "x", 1) == 1)
            pause();
        _exit(1);
    }
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    return process;
}

static void end(pid_t process) {
    ck_assert_int_eq(kill(process, SIGKILL), 0);
    ck_assert_int_eq(waitpid(process, NULL, 0), process);
}

static void write_record(long process, unsigned long long started, const char *boot, const char *host) {
    char *text =
        frs_format("fedrecsim-lock-1\nprocess %ld\nstarted %llu\nnamespace 1\nboot %s\nhost %s\nsince "
                   "2024-05-01T12:00:03Z\n",
            process, started, boot, host);
    write_file("x.lock", text);
    free(text);
}

START_TEST(ends_with_its_process) {
    no_locks = _i == 1;
    pid_t process = holder();
    char *begin = frs_format("x: taken (process %ld on ", (long)process);
    expect_held(begin, "Z)");
    struct frs_lock other;
    ck_assert(!frs_lock_try(&other, "x.lock"));
    end(process);
    ck_assert_int_eq(access("x.lock", F_OK), 0);
    expect_taken();
    free(begin);
}
END_TEST

/* Children keep it, and the file stays. */
START_TEST(a_detached_lock_stays_with_children) {
    ck_assert_int_eq(take(), FRS_OK);
    int file = frs_lock_detach(&lock);
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    close(file);
    expect_held("x: taken (process ", "Z)");
    end(child);
    expect_taken();
}
END_TEST

/* Many processes at one moment: one of them creates the file, and none mistakes an empty one, which
 * another is about to write into, for an old one. */
START_TEST(many_at_one_moment) {
    enum { PROCESSES = 4, TIMES = 3000 };
    pid_t processes[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        processes[i] = fork();
        if (processes[i] == 0) {
            for (int n = 0; n < TIMES; n++)
                if (frs_lock_try(&lock, "x.lock"))
                    frs_lock_release(&lock);
            _exit(0);
        }
    }
    for (int i = 0; i < PROCESSES; i++)
        ck_assert_int_eq(waitpid(processes[i], NULL, 0), processes[i]);
    ck_assert_int_ne(access("x.lock", F_OK), 0);
}
END_TEST

START_TEST(what_is_no_lock_stays) {
    write_file("x.lock", "version = 1\n");
    ck_assert_int_eq(take(), FRS_ERR_INPUT);
    expect_error("x.lock is in the way: it is no lock of this program; choose another place with --out DIR");
    ck_assert_int_eq(system("[ \"$(cat x.lock)\" = 'version = 1' ] && rm x.lock && mkdir x.lock"), 0);
    ck_assert_int_eq(take(), FRS_ERR_INPUT);
    expect_error("x.lock is in the way: it is no lock of this program; choose another place with --out DIR");
    ck_assert_int_eq(system("rmdir x.lock && mkfifo x.lock"), 0);
    ck_assert_int_eq(take(), FRS_ERR_INPUT);
    expect_error("x.lock is in the way: it is no lock of this program; choose another place with --out DIR");
    ck_assert_int_eq(system("rm x.lock && : >x.lock"), 0);
    ck_assert_int_eq(take(), FRS_OK);
    frs_lock_release(&lock);
    ck_assert_int_eq(system("[ -e x.lock ] && [ ! -s x.lock ]"), 0);
}
END_TEST

START_TEST(a_missing_folder_is_told) {
    ck_assert_int_eq(frs_lock_take(&lock, "nowhere/x.lock", "x: taken", &errors), FRS_ERR_INPUT);
    expect_error("nowhere/x.lock: cannot be locked: No such file or directory");
    ck_assert(!frs_lock_try(&lock, "nowhere/x.lock"));
    frs_lock_release(&lock);
}
END_TEST

/* Records are as long as a host's name is: nothing of one that was longer stays behind. */
START_TEST(a_longer_record_is_cut_off) {
    write_record(1, 1, "another-boot", "a-machine-with-a-name-that-is-longer-than-any-other-one-is");
    ck_assert_int_eq(take(), FRS_OK);
    ck_assert_int_eq(system("[ $(wc -l <x.lock) -eq 7 ] && ! grep -q longer x.lock"), 0);
    frs_lock_release(&lock);
    ck_assert_int_ne(access("x.lock", F_OK), 0);
}
END_TEST

/* A lock that the file system has given back counts, whatever is written in the file. */
START_TEST(records_are_believed_only_without_locks) {
    char host[64];
    ck_assert_int_eq(gethostname(host, sizeof host), 0);
    write_record(1, 1, "another-boot", "another-machine");
    expect_taken();
    no_locks = true;
    write_record(1, 1, "another-boot", "another-machine");
    expect_held("x: taken (process 1 on another-machine since 2024-05-01T12:00:03Z; if that machine is gone",
        "for good, remove x.lock)");
    write_record(1, 1, "another-boot", host); /* this one, which has been started anew */
    expect_taken();
    write_file("x.lock", "fedrecsim-lock-1\n"); /* the disk was full */
    expect_taken();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lock");
    TCase *tests = tcase_create("lock");
    tcase_add_checked_fixture(tests, setup, fixture_teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, ends_with_its_process, 0, 2);
    tcase_add_test(tests, a_detached_lock_stays_with_children);
    tcase_add_test(tests, many_at_one_moment);
    tcase_add_test(tests, what_is_no_lock_stays);
    tcase_add_test(tests, a_missing_folder_is_told);
    tcase_add_test(tests, a_longer_record_is_cut_off);
    tcase_add_test(tests, records_are_believed_only_without_locks);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
