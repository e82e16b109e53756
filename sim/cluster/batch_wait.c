/* Waiting for tasks by the files that they leave. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/cluster/batch.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Pauses between looks grow by half. */
#define FIRST_PAUSE_S 0.1
#define LONGEST_PAUSE_S 15.0

static bool has_ended(const char *folder, size_t task) {
    char *path = frs_format("%s/tasks/%04zu.ended", folder, task);
    bool ended = access(path, F_OK) == 0;
    free(path);
    return ended;
}

size_t frs_batch_count_ended(const char *folder, size_t first, size_t end) {
    size_t n = 0;
    for (size_t task = first; task < end; task++)
        n += has_ended(folder, task);
    return n;
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What ends the waiting. A signal that is ignored (nohup) stays so: blocked, it would be taken all the same.
 */
static sigset_t choose_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t signals;
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&signals, numbers[i]);
    }
    return signals;
}

/* False: one of the signals has come. */
static bool pause_for(double pause_s, const sigset_t *signals) {
    struct timespec time = {(time_t)pause_s, (long)(1e9 * (pause_s - floor(pause_s)))};
    return sigtimedwait(signals, NULL, &time) < 0;
}

static void say_silent(const struct frs_batch *batch, size_t task, double silent_s) {
    char *time = silent_s < 60 ? frs_format("%.3g s", silent_s) : frs_format("%.0f min", silent_s / 60);
    frs_print_line(stderr,
        "fedrecsim: no news of task %04zu for %s: is it lost? `%s/tasks/run.sh %zu` runs it again, or Ctrl-C "
        "and "
        "the same command with --resume",
        task, time, batch->folder, task);
    free(time);
}

/* Tasks behind `end` were not submitted. */
static enum frs_status say_interrupted(const struct frs_batch *batch, size_t end, struct frs_errors *errors) {
    size_t n_ended = frs_batch_count_ended(batch->folder, 0, end);
    return frs_errors_add(errors, FRS_INTERRUPTED,
        "interrupted: %zu of %zu tasks have ended, %zu are queued, run, or are lost, and %zu were not "
        "submitted; "
        "waiting has ended, the tasks have not",
        n_ended, batch->n_tasks, end - n_ended, batch->n_tasks - end);
}

static bool was_unnumbered(const char *folder) {
    char *path = frs_format("%s/tasks/unnumbered", folder);
    bool was = access(path, F_OK) == 0;
    free(path);
    return was;
}

static enum frs_status say_unnumbered(const struct frs_batch *batch, struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_RUN,
        "a task was started without its number: %s/tasks/run.sh needs it as its argument, or in a variable "
        "such "
        "as PBS_ARRAY_INDEX (--submit)",
        batch->folder);
}

enum frs_status frs_batch_wait(
    const struct frs_batch *batch, size_t first, size_t end, struct frs_errors *errors) {
    sigset_t signals = choose_signals(), before;
    sigprocmask(SIG_BLOCK, &signals, &before);
    double pause_s = FIRST_PAUSE_S, heard_s = now_s(), silence_s = batch->silence_s;
    size_t n_ended = 0;
    enum frs_status status = FRS_OK;
    for (size_t task = first; task < end && status == FRS_OK;) {
        if (has_ended(batch->folder, task)) {
            task++;
            continue;
        }
        size_t n = frs_batch_count_ended(batch->folder, first, end);
        if (n > n_ended) {
            n_ended = n;
            heard_s = now_s();
            silence_s = batch->silence_s;
        } else if (now_s() - heard_s >= silence_s) {
            say_silent(batch, task, now_s() - heard_s);
            silence_s *= 2;
        }
        if (was_unnumbered(batch->folder))
            status = say_unnumbered(batch, errors);
        else if (!pause_for(pause_s, &signals))
            status = say_interrupted(batch, end, errors);
        pause_s = fmin(fmin(1.5 * pause_s, LONGEST_PAUSE_S), fmax(batch->silence_s, FIRST_PAUSE_S));
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}
