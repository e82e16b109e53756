#include "sim/external/child.h"
#include "sim/base/clock.h"
#include "sim/base/files/own_folders.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long a child that was told goodbye may take, and one that closed its answers to end. */
#define GRACE_S 2.0

/* ---- start ----------------------------------------------------------------------------------- */

/* Set for children: their arithmetic is to be the same however many processors and threads there are. */
static const char *const fixed[] = {"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1",
    "NUMEXPR_NUM_THREADS=1", "PYTHONHASHSEED=0", "PYTHONUNBUFFERED=1", "PYTHONPATH="};
#define N_FIXED (sizeof fixed / sizeof *fixed)

static bool is_fixed(const char *variable) {
    for (size_t i = 0; i < N_FIXED; i++) {
        size_t n = (size_t)(strchr(fixed[i], '=') - fixed[i]) + 1;
        if (strncmp(variable, fixed[i], n) == 0)
            return true;
    }
    return false;
}

/* The path of Python's modules, with the folder of fedrecsim.py behind the user's own. */
static char *python_path(void) {
    const char *given = getenv("PYTHONPATH");
    char *own = frs_folder_of_python();
    bool both = given && *given && own;
    char *path = frs_format("PYTHONPATH=%s%s%s", given ? given : "", both ? ":" : "", own ? own : "");
    free(own);
    return path;
}

/* Variables of a child; the list is allocated, and so is its member N_FIXED - 1. */
static char **environment(void) {
    size_t n = 0, kept = N_FIXED;
    while (environ && environ[n])
        n++;
    char **all = frs_alloc(n + N_FIXED + 1, sizeof *all);
    memcpy(all, fixed, sizeof fixed);
    all[N_FIXED - 1] = python_path();
    for (size_t i = 0; i < n; i++)
        if (!is_fixed(environ[i]))
            all[kept++] = environ[i];
    return all;
}

/* The child's ends of its pipes, out of the way of the numbers that they get. */
struct ends {
    int to, from, said, memory;
};

/* In the new process, between fork and exec: no memory may be asked for. */
static _Noreturn void become(
    const struct frs_command *command, char *const *variables, struct ends ends, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it has died before the line above */
        _exit(126);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int nothing = open("/dev/null", O_RDONLY);
    bool placed = nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(ends.said, 1) >= 0 &&
                  dup2(ends.said, 2) >= 0 && dup2(ends.to, 3) >= 0 && dup2(ends.from, 4) >= 0 &&
                  dup2(ends.memory, 5) >= 0;
    close_range(6, ~0U, 0);
    if (placed)
        execvpe(command->words[0], command->words, variables);
    const char *reason = strerrordesc_np(errno);
    bool told = write(2, "cannot be started: ", 19) == 19 && write(2, reason, strlen(reason)) >= 0;
    _exit(told ? 127 : 126);
}

/* A pipe whose ends have numbers above those that the child's ends get. */
static bool make_pipe(int *ours, int *theirs, bool we_write) {
    int both[2];
    if (pipe2(both, O_CLOEXEC))
        return false;
    for (int i = 0; i < 2; i++) {
        int high = fcntl(both[i], F_DUPFD_CLOEXEC, 10);
        close(both[i]);
        both[i] = high;
    }
    *ours = both[we_write];
    *theirs = both[!we_write];
    return *ours >= 0 && *theirs >= 0;
}

static void close_one(int *descriptor) {
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static bool make_ends(struct frs_child *child, struct ends *ends) {
    int low = memfd_create("fedrecsim", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    child->memory_file = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, 10);
    close_one(&low);
    ends->memory = child->memory_file;
    return child->memory_file >= 0 && make_pipe(&child->to, &ends->to, true) &&
           make_pipe(&child->from, &ends->from, false) && make_pipe(&child->said, &ends->said, false) &&
           fcntl(child->to, F_SETFL, O_NONBLOCK) == 0 && fcntl(child->from, F_SETFL, O_NONBLOCK) == 0 &&
           fcntl(child->said, F_SETFL, O_NONBLOCK) == 0;
}

bool frs_child_start(struct frs_child *child, const struct frs_command *command, char *why, size_t size) {
    struct ends ends = {-1, -1, -1, -1};
    *child = (struct frs_child){.to = -1, .from = -1, .said = -1, .memory_file = -1};
    bool made = make_ends(child, &ends);
    if (made) {
        char **variables = environment();
        pid_t parent = getpid();
        child->process = fork();
        if (child->process == 0)
            become(command, variables, ends, parent);
        made = child->process > 0;
        free(variables[N_FIXED - 1]);
        free(variables);
    }
    if (!made)
        snprintf(why, size, "cannot be started: %s", strerror(errno));
    else
        setpgid(child->process, child->process); /* whichever of both is first */
    close_one(&ends.to);
    close_one(&ends.from);
    close_one(&ends.said);
    if (!made) {
        child->process = 0;
        frs_child_end(child, false);
        return false;
    }
    frs_answer_init(&child->answer, FRS_CHILD_ANSWER_BYTES);
    return true;
}

/* Sealed before it is mapped: were the file to shrink, reading it would end this program. */
bool frs_child_share(struct frs_child *child, size_t bytes, char *why, size_t size) {
    struct stat status;
    int reason = ftruncate(child->memory_file, (off_t)bytes)
                     ? errno
                     : posix_fallocate(child->memory_file, 0, (off_t)bytes);
    if (!reason && fcntl(child->memory_file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        reason = errno;
    if (!reason && (fstat(child->memory_file, &status) || status.st_size != (off_t)bytes))
        reason = EINVAL;
    void *memory =
        reason ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, child->memory_file, 0);
    if (memory == MAP_FAILED) {
        snprintf(why, size, "cannot have %.0f MB of shared memory: %s", (double)bytes / 1e6,
            strerror(reason ? reason : errno));
        return false;
    }
    child->memory = memory;
    child->memory_bytes = bytes;
    return true;
}

/* ---- what it prints -------------------------------------------------------------------------- */

/* False: there is no more, now or ever. */
static bool drain_said(struct frs_child *child) {
    char text[4096];
    ssize_t n = child->said < 0 ? 0 : read(child->said, text, sizeof text);
    if (n > 0)
        frs_printed_add(&child->printed, text, (size_t)n);
    if (n == 0)
        close_one(&child->said);
    return n > 0;
}

void frs_child_quote(struct frs_child *child, char *why, size_t size) {
    bool is_more = true;
    if (strncmp(why, "says: ", strlen("says: ")) == 0) /* its own words */
        return;
    for (int i = 0; i < 64 && is_more; i++)
        is_more = drain_said(child);
    frs_printed_quote(&child->printed, why, size);
}

/* ---- asking ---------------------------------------------------------------------------------- */

static double cpu_of(const struct frs_child *child) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(child->process, &clock) || clock_gettime(clock, &time))
        return 0;
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A pipe without a reader is an error of writing, whatever this program does about signals. */
static ssize_t write_quietly(int descriptor, const char *text, size_t n) {
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t written = write(descriptor, text, n);
    int reason = errno;
    if (written < 0 && reason == EPIPE && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE))
        sigtimedwait(&broken, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return written;
}

/* What became of a child that has closed its end. */
static void tell_end(struct frs_child *child, char *why, size_t size) {
    int status = 0;
    pid_t ended = 0;
    for (double until_s = frs_wall_s() + GRACE_S; ended == 0 && frs_wall_s() < until_s;) {
        drain_said(child);
        ended = waitpid(child->process, &status, WNOHANG);
        if (ended == 0)
            poll(NULL, 0, 1);
    }
    if (ended <= 0) {
        snprintf(why, size, "has closed its descriptors and goes on");
        return;
    }
    kill(-child->process, SIGKILL);
    child->process = 0;
    child->was_killed = WIFSIGNALED(status);
    if (child->was_killed)
        snprintf(why, size, "was killed by signal %d (%s)", WTERMSIG(status),
            sigdescr_np(WTERMSIG(status)) ? sigdescr_np(WTERMSIG(status)) : "unknown");
    else
        snprintf(why, size, "ended with code %d", WEXITSTATUS(status));
}

/* Waits until one of these can be used, and keeps what is printed meanwhile. */
static bool wait_for(
    struct frs_child *child, int descriptor, short events, double until_s, char *why, size_t size) {
    for (;;) {
        double left_s = until_s - frs_wall_s();
        struct pollfd polled[2] = {
            {.fd = descriptor, .events = events}, {.fd = child->said, .events = POLLIN}};
        if (left_s <= 0) {
            snprintf(why, size, "has not answered for as long as method.patience");
            return false;
        }
        int most = left_s > 1e6 ? 1000000000 : (int)(left_s * 1e3) + 1;
        if (poll(polled, 2, most) < 0 && errno != EINTR) {
            snprintf(why, size, "cannot be waited for: %s", strerror(errno));
            return false;
        }
        if (polled[1].revents)
            drain_said(child);
        if (polled[0].revents)
            return true;
    }
}

static bool send(struct frs_child *child, const char *text, double until_s, char *why, size_t size) {
    for (size_t n = strlen(text); n > 0;) {
        ssize_t written = write_quietly(child->to, text, n);
        if (written > 0) {
            text += written;
            n -= (size_t)written;
        } else if (errno == EPIPE) {
            tell_end(child, why, size);
            return false;
        } else if (errno != EAGAIN && errno != EINTR) {
            snprintf(why, size, "cannot be written to: %s", strerror(errno));
            return false;
        } else if (!wait_for(child, child->to, POLLOUT, until_s, why, size)) {
            return false;
        }
    }
    return true;
}

/* Reads more of the answer. */
static bool read_more(struct frs_child *child, double until_s, char *why, size_t size) {
    size_t room;
    char *at = frs_answer_room(&child->answer, &room, why, size);
    if (!at || !wait_for(child, child->from, POLLIN, until_s, why, size))
        return false;
    ssize_t n = read(child->from, at, room);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    if (n > 0)
        return frs_answer_add(&child->answer, (size_t)n, why, size);
    tell_end(child, why, size);
    return false;
}

const char *frs_child_ask(
    struct frs_child *child, const char *text, bool block, double patience_s, char *why, size_t size) {
    double until_s = frs_wall_s() + patience_s, before_s = cpu_of(child);
    frs_answer_clear(&child->answer);
    child->was_killed = false;
    if (!send(child, text, until_s, why, size))
        return NULL;
    while (!frs_answer_is_whole(&child->answer, block))
        if (!read_more(child, until_s, why, size))
            return NULL;
    child->cpu_s = cpu_of(child) - before_s;
    return frs_answer_take(&child->answer, block, why, size);
}

/* ---- end ------------------------------------------------------------------------------------- */

static void await_goodbye(struct frs_child *child) {
    for (double until_s = frs_wall_s() + GRACE_S; frs_wall_s() < until_s;) {
        drain_said(child);
        if (waitpid(child->process, NULL, WNOHANG) != 0) {
            kill(-child->process, SIGKILL); /* what it has started */
            child->process = 0;
            return;
        }
        poll(NULL, 0, 1);
    }
}

void frs_child_end(struct frs_child *child, bool politely) {
    if (child->process > 0 && politely)
        (void)write_quietly(child->to, "goodbye\n", 8);
    close_one(&child->to);
    if (child->process > 0 && politely)
        await_goodbye(child);
    if (child->process > 0) {
        kill(-child->process, SIGKILL);
        kill(child->process, SIGKILL);
        waitpid(child->process, NULL, 0);
    }
    child->process = 0;
    close_one(&child->from);
    close_one(&child->said);
    close_one(&child->memory_file);
    if (child->memory)
        munmap(child->memory, child->memory_bytes);
    child->memory = NULL;
    frs_answer_fini(&child->answer);
}
