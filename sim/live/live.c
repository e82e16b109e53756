#include "sim/live/live.h"
#include "sim/base/errors.h"
#include "sim/base/files/digest.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/live/library.h"
#include "sim/live/shared.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Ports that no registry and no system hands out to connections by itself; how many are tried. */
enum { FIRST_PORT = 20000, N_PORTS = 10000, TRIES = 20, WAITING = 16 };

struct frs_live {
    struct frs_live_shared *shared;
    pid_t server;
};

/* ---- the socket ---- */

/* -1 and errno where it cannot be had. */
static int listen_on(unsigned port) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1, file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return -1;
    (void)setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(file, (const struct sockaddr *)&address, sizeof address) == 0 && listen(file, WAITING) == 0)
        return file;
    int reason = errno;
    close(file);
    errno = reason;
    return -1;
}

/* The same one for a command that is resumed, so that a page which is still open goes on. */
static int listen_for(const char *key) {
    struct frs_digester digester = frs_digester_init();
    char folder[PATH_MAX];
    frs_digester_add_text(&digester, getcwd(folder, sizeof folder) ? folder : "");
    frs_digester_add_text(&digester, key);
    struct frs_digest digest = frs_digester_finish(&digester);
    unsigned start = ((unsigned)digest.bytes[0] << 8 | digest.bytes[1]) % N_PORTS;
    int file = -1;
    for (unsigned i = 0; i < TRIES && file < 0; i++)
        file = listen_on(FIRST_PORT + (start + i) % N_PORTS);
    return file >= 0 ? file : listen_on(0);
}

static unsigned port_of(int file) {
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    return getsockname(file, (struct sockaddr *)&address, &size) == 0 ? ntohs(address.sin_port) : 0;
}

/* ---- the process ---- */

/* The terminal's Ctrl-C is for the command. What it prints is not for pipes that the command has. */
static _Noreturn void become_server(const struct frs_live_shared *shared, int listening, pid_t command) {
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_IGN);
    (void)!nice(5);
    if (getppid() != command || nothing < 0) /* it has died before the line above */
        _exit(1);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    frs_live_serve(shared, listening, command);
}

enum frs_status frs_live_open(
    unsigned port, const char *key, struct frs_live **live, struct frs_errors *errors) {
    *live = NULL;
    enum frs_status status = frs_http_load(errors);
    if (status != FRS_OK)
        return status;
    int listening = port ? listen_on(port) : listen_for(key);
    if (listening < 0 && port)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--live=%u: this port of 127.0.0.1 cannot be had: %s; "
            "allowed: another one, or --live alone for a free one",
            port, strerror(errno));
    if (listening < 0)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "--live: no port of 127.0.0.1 can be had: %s", strerror(errno));
    void *shared =
        mmap(NULL, sizeof(struct frs_live_shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(NULL);
    pid_t command = getpid(), server = shared == MAP_FAILED ? -1 : fork();
    if (server == 0)
        become_server(shared, listening, command);
    int reason = errno;
    if (server > 0)
        frs_print_line(stderr, "live page: http://127.0.0.1:%u/", port_of(listening));
    close(listening);
    if (server < 0) {
        if (shared != MAP_FAILED)
            munmap(shared, sizeof(struct frs_live_shared));
        return frs_errors_add(
            errors, FRS_ERR_RUN, "--live: cannot start a process for the page: %s", strerror(reason));
    }
    *live = frs_alloc(1, sizeof **live);
    **live = (struct frs_live){.shared = shared, .server = server};
    return FRS_OK;
}

/* ---- what it is told ---- */

static void tell(const struct frs_live *live, enum frs_live_state state) {
    atomic_store_explicit(&live->shared->state, (int)state, memory_order_release);
}

static bool is_untold(const struct frs_live *live) {
    return live && atomic_load_explicit(&live->shared->state, memory_order_relaxed) == FRS_LIVE_STARTS;
}

/* Paths that are too long for the system are none that it has opened. */
static void copy(char *to, size_t size, const char *text) {
    snprintf(to, size, "%s", text);
}

void frs_live_run(struct frs_live *live, const char *growing, const char *place, const char *method,
    size_t n_rounds, bool may_end_early) {
    if (!is_untold(live))
        return;
    struct frs_live_shared *shared = live->shared;
    copy(shared->growing, sizeof shared->growing, growing);
    copy(shared->place, sizeof shared->place, place);
    copy(shared->method, sizeof shared->method, method);
    shared->n_rounds = n_rounds;
    shared->may_end_early = may_end_early;
    tell(live, FRS_LIVE_RUNS);
}

void frs_live_sweep(
    struct frs_live *live, const char *folder, bool searches, size_t at_once, bool elsewhere) {
    if (!is_untold(live))
        return;
    struct frs_live_shared *shared = live->shared;
    copy(shared->growing, sizeof shared->growing, folder);
    copy(shared->place, sizeof shared->place, folder);
    shared->is_sweep = true;
    shared->searches = searches;
    shared->at_once = at_once;
    shared->elsewhere = elsewhere;
    tell(live, FRS_LIVE_RUNS);
}

/* Ctrl-C ends the waiting and nothing else: the results are in place. */
static void await(pid_t server) {
    const struct timespec while_ = {0, 50000000};
    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, &before);
    while (waitpid(server, NULL, WNOHANG) == 0)
        if (sigtimedwait(&signals, NULL, &while_) >= 0)
            kill(server, SIGKILL);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void frs_live_close(struct frs_live *live, int code) {
    if (!live)
        return;
    live->shared->code = code;
    tell(live, FRS_LIVE_ENDED);
    await(live->server);
    munmap(live->shared, sizeof *live->shared);
    free(live);
}
