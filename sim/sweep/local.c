#include "sim/sweep/local.h"
#include "analysis/read/files.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/memory.h"
#include "sim/base/threads/processors.h"
#include "sim/base/text.h"
#include "sim/base/files/program.h"
#include "sim/closed_form/message_times.h"
#include "sim/run/run.h"
#include "sim/setup/compose/compose.h"
#include "sim/sweep/folder.h"
#include "sim/sweep/point.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long an interrupted point may take to put its things away. */
#define GRACE_S 5.0
#define ONE_SIGNAL_S 1.0

struct worker {
    pid_t process; /* 0: free */
    size_t point;
};

struct pool {
    const struct frs_local *local;
    struct frs_schedule *schedule;
    struct frs_ticker *ticker;
    struct frs_errors *errors;
    size_t n, n_busy, threads;
    struct worker *workers; /* [n] */
    sigset_t signals, before;
};

/* --- starting --- */

/* What a point runs; read before there is a process for it, which says what was wrong. */
struct reading {
    struct frs_scenario *scenario; /* NULL on failure */
    enum frs_status status;
    struct frs_errors errors;
};

/* Afterwards the point's initial values and data are in the data-set cache (sim/setup/dataset_cache.h), if
 * that is open. */
static struct reading read_point(const struct frs_local *local, size_t point) {
    struct reading reading = {0};
    reading.status = frs_point_read(
        local->sections, local->plan, local->folder, point, &reading.scenario, &reading.errors);
    if (reading.status == FRS_OK && local->prepares)
        frs_compose_ahead(reading.scenario);
    return reading;
}

/* Runs in the new process. A process group of its own keeps the terminal's Ctrl-C from the point: the
 * sweep's process decides whether the point is stopped. */
static void separate(const struct pool *pool, const char *log, pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it has died before the line above */
        _exit(1);
    int out = frs_create_descriptor(log), in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0)
        _exit(1);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    close(in);
    close(out);
    sigprocmask(SIG_SETMASK, &pool->before, NULL);
}

static _Noreturn void become_point(const struct pool *pool, size_t point, const struct reading *reading) {
    const struct frs_local *local = pool->local;
    const struct frs_point_options options = {
        .sections = local->sections, .threads = pool->threads, .cache = local->cache};
    enum frs_status status = reading->status;
    struct frs_errors errors = reading->errors;
    if (status == FRS_OK)
        status = frs_point_run_of(local->plan, local->folder, point, reading->scenario, &options, &errors);
    frs_errors_print(&errors, stderr);
    fflush(stdout);
    fflush(stderr);
    /* Skips the libraries' exit handlers: they would write to pages shared with the other processes, and
     * so copy them. */
    _exit(frs_exit_code(status));
}

/* Neither threads nor SimGrid's engine may be there yet, and nothing unwritten, which both would write. */
static pid_t start_process(const struct pool *pool, size_t point) {
    const struct frs_local *local = pool->local;
    char *log = frs_folder_log(local->folder, point);
    struct reading reading = read_point(local, point);
    fflush(NULL);
    pid_t parent = getpid(), process = fork();
    if (process == 0) {
        separate(pool, log, parent);
        become_point(pool, point, &reading);
    }
    frs_scenario_destroy(reading.scenario);
    frs_errors_clear(&reading.errors);
    free(log);
    return process;
}

/* False when the system gives no more processes. */
static bool start(struct pool *pool, struct worker *worker, size_t point) {
    pid_t process = start_process(pool, point);
    if (process < 0)
        return false;
    *worker = (struct worker){process, point};
    pool->n_busy++;
    return true;
}

static enum frs_status fill(struct pool *pool) {
    for (size_t i = 0; i < pool->n; i++) {
        if (pool->workers[i].process)
            continue;
        size_t point = frs_schedule_next(pool->schedule);
        if (point == SIZE_MAX)
            return FRS_OK;
        if (start(pool, &pool->workers[i], point))
            continue;
        int reason = errno;
        frs_schedule_return(pool->schedule, point);
        if (pool->n_busy > 0) /* once one of them has ended there may be room */
            return FRS_OK;
        return frs_errors_add(pool->errors, FRS_ERR_RUN,
            "cannot start a process: %s; the sweep is not complete", strerror(reason));
    }
    return FRS_OK;
}

/* --- ending --- */

/* The last line of its log, without what begins all our lines. */
static char *reason_of(int status, const char *log) {
    if (WIFSIGNALED(status))
        return frs_format("killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    char *said = NULL, text[512];
    struct frs_errors ignored = {0};
    bool has_log = frs_contents_read(log, &said, &ignored) == FRS_OK;
    char *line = frs_text_last_line(has_log ? said : "");
    char *own = strncmp(line, "fedrecsim: ", 11) == 0 ? line + 11 : line;
    char *reason = *own ? frs_strdup(frs_text_line(own, text, sizeof text))
                        : frs_format("ended with code %d", WEXITSTATUS(status));
    free(line);
    free(said);
    frs_errors_clear(&ignored);
    return reason;
}

static void report_failure(struct pool *pool, size_t point, int status, const char *log) {
    char *reason = reason_of(status, log), *name = frs_sweep_plan_describe(pool->local->plan, point);
    frs_ticker_say(pool->ticker, "fedrecsim: point %zu failed (%s): %s", point, name, reason);
    free(name);
    free(reason);
}

static void remove_empty(const char *log) {
    struct stat status;
    if (stat(log, &status) == 0 && status.st_size == 0)
        unlink(log);
}

/* A worker that ends well has put its results in place. */
static void end(struct pool *pool, struct worker *worker, int status) {
    size_t point = worker->point;
    char *log = frs_folder_log(pool->local->folder, point);
    bool finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!finished) {
        frs_folder_clear(pool->local->folder, point);
        report_failure(pool, point, status, log);
    }
    remove_empty(log);
    frs_schedule_end(pool->schedule, point, finished);
    worker->process = 0;
    pool->n_busy--;
    free(log);
}

/* Ends all workers that have ended. */
static void reap(struct pool *pool) {
    for (size_t i = 0; i < pool->n; i++) {
        int status;
        if (pool->workers[i].process && waitpid(pool->workers[i].process, &status, WNOHANG) > 0)
            end(pool, &pool->workers[i], status);
    }
}

/* --- interrupts --- */

static void signal_all(const struct pool *pool, int signal) {
    for (size_t i = 0; i < pool->n; i++)
        if (pool->workers[i].process)
            kill(pool->workers[i].process, signal);
}

/* Waits for a child or a signal; the signal, or 0. */
static int wait_signal(const struct pool *pool, double longest_s) {
    struct timespec limit = {(time_t)longest_s, (long)(1e9 * (longest_s - (double)(time_t)longest_s))};
    int signal = sigtimedwait(&pool->signals, NULL, &limit);
    return signal == SIGCHLD || signal < 0 ? 0 : signal;
}

/* Interrupted points clean up by themselves. Points that take too long, and all points at a second signal,
 * are killed and cleaned up here. Two signals within a second count as one, because `timeout` sends two. A
 * point that ended well at the last moment stays. */
static void stop_all(struct pool *pool) {
    double began_s = frs_wall_s();
    signal_all(pool, SIGTERM);
    while (pool->n_busy > 0) {
        bool again = wait_signal(pool, 0.1) && frs_wall_s() - began_s >= ONE_SIGNAL_S;
        if (again || frs_wall_s() - began_s > GRACE_S)
            signal_all(pool, SIGKILL);
        for (size_t i = 0; i < pool->n; i++) {
            struct worker *worker = &pool->workers[i];
            if (!worker->process || waitpid(worker->process, NULL, WNOHANG) <= 0)
                continue;
            char *log = frs_folder_log(pool->local->folder, worker->point);
            frs_folder_clear(pool->local->folder, worker->point);
            unlink(log);
            free(log);
            frs_schedule_return(pool->schedule, worker->point);
            worker->process = 0;
            pool->n_busy--;
        }
    }
}

/* --- the pool --- */

static enum frs_status work(struct pool *pool) {
    for (;;) {
        enum frs_status status = fill(pool);
        struct frs_schedule_counts counts = frs_schedule_counts(pool->schedule);
        frs_ticker_show(pool->ticker, &counts);
        if (status != FRS_OK)
            return status;
        if (pool->n_busy == 0)
            return counts.failed > 0 ? FRS_ERR_RUN : FRS_OK;
        if (wait_signal(pool, 0.5)) {
            stop_all(pool);
            return FRS_INTERRUPTED;
        }
        reap(pool);
    }
}

/* If hang-ups are ignored (nohup), the sweep is meant to outlive the terminal. */
static void choose_signals(sigset_t *signals) {
    struct sigaction hangup;
    sigemptyset(signals);
    sigaddset(signals, SIGCHLD);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaddset(signals, SIGHUP);
}

enum frs_status frs_local_run(const struct frs_local *local, struct frs_schedule *schedule,
    struct frs_ticker *ticker, struct frs_errors *errors) {
    if (frs_run_load(errors) != FRS_OK)
        return FRS_ERR_RUN;
    size_t n = local->jobs ? local->jobs : frs_processors(), share = frs_processors() / n;
    struct pool pool = {.local = local,
        .schedule = schedule,
        .ticker = ticker,
        .errors = errors,
        .n = n,
        .threads = local->threads ? local->threads
                   : share > 0    ? share
                                  : 1,
        .workers = frs_alloc(n, sizeof *pool.workers)};
    (void)frs_program_digest(); /* so that every point knows it */
    frs_message_times_open(FRS_MESSAGE_TIMES_MOST);
    choose_signals(&pool.signals);
    sigprocmask(SIG_BLOCK, &pool.signals, &pool.before);
    enum frs_status status = work(&pool);
    sigprocmask(SIG_SETMASK, &pool.before, NULL);
    frs_message_times_close();
    free(pool.workers);
    return status;
}
