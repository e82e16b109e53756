#include "actors/emulation/process.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 65536

void frs_process_begin(const char *name) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    prctl(PR_SET_NAME, name, 0, 0, 0);
    prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

bool frs_process_hurry(int rank) {
    struct sched_param first = {.sched_priority = rank};
    return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) == 0;
}

void frs_process_relax(void) {
    struct sched_param usual = {0};
    sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &usual);
}

static bool is_kept(int fd, const int *fds, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (fds[i] == fd)
            return true;
    return false;
}

void frs_process_keep(const int *fds, size_t n) {
    struct rlimit limit;
    int nowhere = open("/dev/null", O_RDWR), most = MOST_DESCRIPTORS;
    for (int fd = 0; nowhere >= 0 && fd < 3; fd++)
        dup2(nowhere, fd);
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < MOST_DESCRIPTORS)
        most = (int)limit.rlim_cur;
    for (int fd = 3; fd < most; fd++)
        if (!is_kept(fd, fds, n))
            close(fd);
}
