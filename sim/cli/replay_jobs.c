#include "sim/cli/replay_jobs.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* `timeout` and batch systems send two signals for one interruption. */
#define ONE_SIGNAL_S 1.0

struct job {
    pid_t process;  /* 0: not running */
    int out, error; /* what it prints, until its turn */
};

struct pool {
    const struct frs_replay_jobs *jobs;
    struct job *all; /* [n] */
    int *codes;      /* [n] */
    size_t begun, running, printed;
    bool named; /* run `printed` has its name on stdout */
    sigset_t signals, before;
};

static _Noreturn void become_run(const struct pool *pool, size_t run, pid_t parent) {
    const struct job *job = &pool->all[run];
    /* Keeps the terminal's Ctrl-C from the run: the parent decides. */
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it has died before the line above */
        _exit(1);
    dup2(job->out, STDOUT_FILENO);
    dup2(job->error, STDERR_FILENO);
    sigprocmask(SIG_SETMASK, &pool->before, NULL);
    int code = pool->jobs->replay(pool->jobs->context, run);
    fflush(NULL);
    _exit(code);
}

static enum frs_status start(struct pool *pool, struct frs_errors *errors) {
    size_t run = pool->begun;
    struct job *job = &pool->all[run];
    job->out = memfd_create("out", MFD_CLOEXEC);
    job->error = memfd_create("error", MFD_CLOEXEC);
    fflush(NULL);
    pid_t parent = getpid(), process = job->out < 0 || job->error < 0 ? -1 : fork();
    if (process == 0)
        become_run(pool, run, parent);
    pool->begun++;
    if (process < 0)
        return frs_errors_add(errors, FRS_ERR_RUN, "cannot start a process: %s", strerror(errno));
    job->process = process;
    pool->running++;
    return FRS_OK;
}

static void copy(int from, FILE *to) {
    char text[4096];
    off_t at = 0;
    for (ssize_t n; (n = pread(from, text, sizeof text, at)) > 0; at += n)
        fwrite(text, 1, (size_t)n, to);
    fflush(to);
}

/* The names up to the first run that has not ended, so that a reader sees what is going on. */
static void print_ended(struct pool *pool) {
    while (pool->printed < pool->begun) {
        const struct job *job = &pool->all[pool->printed];
        if (!pool->named)
            frs_print_line(stdout, "%s", pool->jobs->name(pool->jobs->context, pool->printed));
        fflush(stdout);
        pool->named = true;
        if (job->process)
            return;
        copy(job->out, stdout);
        copy(job->error, stderr);
        pool->named = false;
        pool->printed++;
    }
}

static void reap(struct pool *pool) {
    for (size_t i = 0; i < pool->begun; i++) {
        int status;
        struct job *job = &pool->all[i];
        if (!job->process || waitpid(job->process, &status, WNOHANG) <= 0)
            continue;
        if (WIFEXITED(status))
            pool->codes[i] = WEXITSTATUS(status);
        else
            dprintf(job->error, "fedrecsim: killed by signal %d (%s)\n", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
        job->process = 0;
        pool->running--;
    }
}

static void signal_all(const struct pool *pool, int signal) {
    for (size_t i = 0; i < pool->begun; i++)
        if (pool->all[i].process)
            kill(pool->all[i].process, signal);
}

/* Waits for a child or a signal to this process; true for the latter. */
static bool is_interrupted(const struct pool *pool) {
    const struct timespec limit = {0, 500000000};
    int signal = sigtimedwait(&pool->signals, NULL, &limit);
    return signal > 0 && signal != SIGCHLD;
}

static void stop_all(struct pool *pool) {
    double began_s = frs_wall_s();
    signal_all(pool, SIGTERM);
    while (pool->running > 0) {
        if (is_interrupted(pool) && frs_wall_s() - began_s >= ONE_SIGNAL_S)
            signal_all(pool, SIGKILL);
        reap(pool);
    }
}

/* A run that could not be replayed: the rest would fail in the same way. */
static bool has_failed(const struct pool *pool) {
    for (size_t i = 0; i < pool->begun; i++)
        if (!pool->all[i].process && (pool->codes[i] < 0 || pool->codes[i] > 1))
            return true;
    return false;
}

static enum frs_status work(struct pool *pool, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    for (;;) {
        while (status == FRS_OK && !has_failed(pool) && pool->begun < pool->jobs->n &&
               pool->running < pool->jobs->jobs)
            status = start(pool, errors);
        print_ended(pool);
        if (pool->running == 0)
            return status;
        if (is_interrupted(pool)) {
            stop_all(pool);
            return FRS_INTERRUPTED;
        }
        reap(pool);
    }
}

static void block_signals(struct pool *pool) {
    struct sigaction hangup;
    sigemptyset(&pool->signals);
    sigaddset(&pool->signals, SIGCHLD);
    sigaddset(&pool->signals, SIGINT);
    sigaddset(&pool->signals, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(&pool->signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &pool->signals, &pool->before);
}

enum frs_status frs_replay_jobs_run(
    const struct frs_replay_jobs *jobs, int *codes, struct frs_errors *errors) {
    struct pool pool = {.jobs = jobs, .codes = codes, .all = frs_alloc(jobs->n + 1, sizeof *pool.all)};
    for (size_t i = 0; i < jobs->n; i++) {
        pool.all[i] = (struct job){.out = -1, .error = -1};
        codes[i] = -1;
    }
    block_signals(&pool);
    enum frs_status status = work(&pool, errors);
    for (size_t i = 0; i < pool.begun; i++) {
        close(pool.all[i].out);
        close(pool.all[i].error);
    }
    sigprocmask(SIG_SETMASK, &pool.before, NULL);
    free(pool.all);
    return status;
}
