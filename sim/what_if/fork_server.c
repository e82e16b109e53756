#include "sim/what_if/fork_server.h"
#include "sim/base/files/program.h"
#include "sim/base/memory.h"
#include "sim/what_if/simulate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often it is asked whether the answers are there, and whether a signal has come. */
#define PATIENCE_NS 2000000

/* Memory that all processes share: descriptors may be few. */
struct shared {
    struct frs_what_if_task task;
    struct frs_what_if_answer answers[FRS_VARIATIONS];
};

struct frs_what_if_fork_server {
    pid_t pid;
    struct shared *shared;
};

/* ---- the fork server ------------------------------------------------------------------------------ */

/* It prints nothing, leaves no core file, and ends with the process that wants it: signals are that one's. */
static void be_quiet(pid_t parent) {
    int nowhere = open("/dev/null", O_RDWR);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (int stream = 0; stream < 3 && nowhere >= 0; stream++)
        dup2(nowhere, stream);
    if (nowhere > 2)
        close(nowhere);
}

static void fork_one(const struct frs_scenario *scenario, struct shared *shared, size_t which) {
    pid_t self = getpid();
    if (fork() != 0)
        return;
    be_quiet(self);
    frs_what_if_simulate(scenario, &shared->task, which, &shared->answers[which]);
}

static sigset_t only(int number) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    return set;
}

/* Waits for a task, and forks a process for each what-if that is wanted, some at a time. */
static _Noreturn void serve(const struct frs_scenario *scenario, struct shared *shared, pid_t parent) {
    sigset_t begin = only(SIGUSR1);
    size_t n_running = 0;
    be_quiet(parent);
    while (sigwaitinfo(&begin, NULL) < 0)
        if (errno != EINTR)
            _exit(1);
    for (size_t which = 0; which < FRS_VARIATIONS; which++) {
        if (shared->task.n_changes[which] == 0)
            continue;
        if (n_running == shared->task.processes && wait(NULL) > 0)
            n_running--;
        fork_one(scenario, shared, which);
        n_running++;
    }
    while (wait(NULL) > 0 || errno == EINTR)
        ;
    _exit(0);
}

/* ---- the run --------------------------------------------------------------------------------- */

/* The signal by which it is told to begin waits for it from before it exists. */
struct frs_what_if_fork_server *frs_what_if_fork_server_start(struct frs_setup *setup) {
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sigset_t begin = only(SIGUSR1), before;
    if (shared == MAP_FAILED)
        return NULL;
    fflush(NULL);
    (void)frs_program_digest(); /* so that every process has it, which would take it longer than its rounds */
    pid_t self = getpid();
    sigprocmask(SIG_BLOCK, &begin, &before);
    pid_t pid = fork();
    if (pid == 0) {
        const struct frs_scenario *scenario = setup->scenario;
        frs_setup_fini(setup);
        serve(scenario, shared, self);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (pid < 0) {
        munmap(shared, sizeof *shared);
        return NULL;
    }
    struct frs_what_if_fork_server *fork_server = frs_alloc(1, sizeof *fork_server);
    *fork_server = (struct frs_what_if_fork_server){.pid = pid, .shared = shared};
    return fork_server;
}

/* Ends the process, and with it those that it has forked. */
static void stop(struct frs_what_if_fork_server *fork_server) {
    if (fork_server->pid <= 0)
        return;
    kill(fork_server->pid, SIGKILL);
    while (waitpid(fork_server->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    fork_server->pid = 0;
}

void frs_what_if_fork_server_end(struct frs_what_if_fork_server *fork_server) {
    if (!fork_server)
        return;
    stop(fork_server);
    munmap(fork_server->shared, sizeof *fork_server->shared);
    free(fork_server);
}

/* Whether the fork server is still at work. */
static bool is_working(struct frs_what_if_fork_server *fork_server) {
    pid_t ended = waitpid(fork_server->pid, NULL, WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR))
        return true;
    fork_server->pid = 0;
    return false;
}

void frs_what_if_fork_server_simulate(struct frs_what_if_fork_server *fork_server,
    const struct frs_what_if_task *task, const volatile sig_atomic_t *interrupted,
    struct frs_what_if_answer *answers) {
    struct shared *shared = fork_server->shared;
    shared->task = *task;
    kill(fork_server->pid, SIGUSR1);
    while (!*interrupted && is_working(fork_server))
        nanosleep(&(struct timespec){.tv_nsec = PATIENCE_NS}, NULL);
    stop(fork_server);
    for (size_t i = 0; i < FRS_VARIATIONS; i++)
        answers[i] = shared->answers[i];
}
