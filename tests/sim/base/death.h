/* Death tests: calls that must end the process, tried in a child of their own. */
#ifndef FRS_TESTS_SIM_BASE_DEATH_H
#define FRS_TESTS_SIM_BASE_DEATH_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs `call` in a child, keeps what it says on stderr in `said`, and returns its wait status. */
static inline int frs_test_death(void (*call)(void), char *said, size_t size) {
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        call();
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; (got = read(ends[0], said + n, size - 1 - n)) > 0;)
        n += (size_t)got;
    said[n] = '\0';
    close(ends[0]);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

/* A broken invariant aborts with its file and line. */
static inline void frs_test_panics(void (*call)(void), const char *text) {
    char said[4096];
    int status = frs_test_death(call, said, sizeof said);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "no abort: %s", said);
    ck_assert_ptr_nonnull(strstr(said, "fedrecsim: internal error at "));
    ck_assert_msg(strstr(said, text), "\"%s\" is not in: %s", text, said);
}

#endif
