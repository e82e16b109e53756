#include "actors/emulation/supervisor.h"
#include "actors/emulation/process.h"
#include "actors/emulation/rights.h"
#include "actors/emulation/supervisor_internal.h"
#include "actors/emulation/watchdog.h"
#include "sim/base/errors.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS 160
#define RANK                                                                                                 \
    1 /* behind all others, but before what else the machine does: what it is late by counts as a pause */
#define MOST_WAITS 5000 /* of a millisecond */

/* ---- words ----------------------------------------------------------------------------------- */

/* Sends a last message, with a descriptor if there is one. Errors are ignored: then no process is left to
 * receive the message. */
static void say(int life, const char *words, int descriptor) {
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec text = {.iov_base = (void *)words, .iov_len = strlen(words) + 1};
    struct msghdr message = {.msg_iov = &text, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    }
    ssize_t ignored = sendmsg(life, &message, MSG_NOSIGNAL);
    (void)ignored;
}

static int hear(int life, char *words, size_t size) {
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec text = {.iov_base = words, .iov_len = size - 1};
    struct msghdr message = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t n = recvmsg(life, &message, MSG_CMSG_CLOEXEC);
    words[n > 0 ? n : 0] = '\0';
    struct cmsghdr *header = n > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    int descriptor = -1;
    if (header && header->cmsg_type == SCM_RIGHTS)
        memcpy(&descriptor, CMSG_DATA(header), sizeof(int));
    return descriptor;
}

_Noreturn void frs_supervisor_give_up(const struct birth *birth, const char *what) {
    char words[WORDS];
    snprintf(words, sizeof words, "%s: %s", what, strerror(errno));
    say(birth->life, words, -1);
    _exit(1);
}

/* ---- birth ----------------------------------------------------------------------------------- */

static void write_map(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t ignored = fd >= 0 ? write(fd, text, strlen(text)) : 0;
    (void)ignored; /* without a name a process still has the rights */
    if (fd >= 0)
        close(fd);
}

static void name_users(const struct birth *birth) {
    char text[40];
    if (!birth->own_users)
        return;
    write_map("/proc/self/setgroups", "deny");
    snprintf(text, sizeof text, "0 %u 1", (unsigned)birth->user);
    write_map("/proc/self/uid_map", text);
    snprintf(text, sizeof text, "0 %u 1", (unsigned)birth->group);
    write_map("/proc/self/gid_map", text);
}

static void keep_own_descriptors(const struct birth *birth) {
    int fds[2 + FRS_EMULATED_LINES + FRS_EMULATED_EDGES] = {birth->life, birth->router};
    size_t n_lines = birth->settings->n_lines, n_edges = birth->settings->n_edges;
    memcpy(fds + 2, birth->orders, n_lines * sizeof *fds);
    memcpy(fds + 2 + n_lines, birth->edges, n_edges * sizeof *fds);
    frs_process_keep(fds, 2 + n_lines + n_edges);
}

/* ---- watch ----------------------------------------------------------------------------------- */

static void tell_of(const struct birth *birth, pid_t process, int status) {
    char words[WORDS], who[64] = "a process";
    if (process == birth->router_process)
        snprintf(who, sizeof who, "the router");
    for (size_t i = 0; i < birth->settings->n_lines; i++)
        if (birth->clients[i] == process)
            snprintf(who, sizeof who, "the process of line %zu", i + 1);
    for (size_t i = 0; i < birth->settings->n_edges; i++)
        if (birth->edge_processes[i] == process)
            snprintf(who, sizeof who, "the process of edge %zu", i);
    if (WIFSIGNALED(status))
        snprintf(words, sizeof words, "%s was killed by signal %d", who, WTERMSIG(status));
    else
        snprintf(words, sizeof words, "%s ended", who);
    say(birth->life, words, -1);
}

/* Waits until the server has gone, or a process that must not end has ended. */
static void watch(const struct birth *birth) {
    struct frs_router_record *record = birth->supervisor->record;
    struct frs_watchdog watchdog = frs_watchdog_of(&record->activity, &record->supervisor);
    frs_process_hurry(RANK);
    (void)frs_rights_drop(FRS_RIGHTS_OF_KEEPER);
    for (;;) {
        struct pollfd life = {.fd = birth->life, .events = POLLIN};
        struct timespec left = {.tv_nsec = (long)(1e9 * frs_watchdog_begin(&watchdog, INFINITY))};
        int status;
        ppoll(&life, 1, &left, NULL);
        if (life.revents)
            return;
        pid_t process = waitpid(-1, &status, WNOHANG);
        if (process > 0) {
            tell_of(birth, process, status);
            return;
        }
    }
}

static _Noreturn void keep(struct birth *birth) {
    frs_process_begin("fedrecsim-keep");
    for (uint32_t i = 0; i < birth->settings->n_lines; i++)
        frs_supervisor_start_client(birth, i);
    for (uint32_t i = 0; i < birth->settings->n_edges; i++)
        frs_supervisor_start_edge(birth, i);
    int listener = frs_supervisor_enter_server(birth);
    frs_supervisor_start_router(birth);
    say(birth->life, "", listener);
    frs_process_keep(&birth->life, 1);
    watch(birth);
    _exit(1);
}

/* Enters namespaces; one of users only where root's rights are missing. The supervisor is a child of this
 * process and the first process of the new process namespace. This process only waits for it, because it
 * cannot enter that namespace itself. */
static _Noreturn void enter(struct birth *birth) {
    frs_process_begin("fedrecsim-wait");
    setsid();
    keep_own_descriptors(birth);
    if (unshare(CLONE_NEWPID)) {
        birth->own_users = true;
        if (errno != EPERM || unshare(CLONE_NEWUSER | CLONE_NEWPID))
            frs_supervisor_give_up(birth, "namespaces of its own");
        name_users(birth);
    }
    pid_t supervisor = fork();
    if (supervisor < 0)
        frs_supervisor_give_up(birth, "a process that keeps the others");
    if (supervisor == 0)
        keep(birth);
    close(birth->life);
    (void)frs_rights_drop(FRS_RIGHTS_OF_KEEPER);
    waitpid(supervisor, NULL, 0);
    _exit(0);
}

/* ---- the server's side ----------------------------------------------------------------------- */

static void *share(size_t bytes) {
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static bool make_pair(int *ours, int *theirs) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
        return false;
    *ours = pair[0];
    *theirs = pair[1];
    return true;
}

static bool make_ends(struct frs_supervisor *supervisor, struct birth *birth) {
    if (!make_pair(&supervisor->life, &birth->life) || !make_pair(&supervisor->router, &birth->router))
        return false;
    for (size_t i = 0; i < supervisor->n_lines; i++)
        if (!make_pair(&supervisor->orders[i], &birth->orders[i]))
            return false;
    for (size_t i = 0; i < supervisor->n_edges; i++)
        if (!make_pair(&supervisor->edges[i], &birth->edges[i]))
            return false;
    supervisor->record = share(sizeof *supervisor->record);
    for (size_t i = 0; i < supervisor->n_lines; i++)
        if (!(supervisor->mailboxes[i] = share(sizeof *supervisor->mailboxes[i])))
            return false;
    return supervisor->record;
}

static void close_their_ends(struct birth *birth) {
    close(birth->life);
    close(birth->router);
    for (size_t i = 0; i < birth->settings->n_lines; i++)
        close(birth->orders[i]);
    for (size_t i = 0; i < birth->settings->n_edges; i++)
        close(birth->edges[i]);
}

enum frs_status frs_supervisor_start(const struct frs_supervisor_settings *settings,
    struct frs_supervisor *supervisor, struct frs_errors *errors) {
    char words[WORDS];
    struct birth birth = {
        .settings = settings, .supervisor = supervisor, .user = getuid(), .group = getgid()};
    *supervisor = (struct frs_supervisor){
        .n_lines = settings->n_lines, .n_edges = settings->n_edges, .listener = -1, .life = -1};
    FRS_INVARIANT(settings->n_lines <= FRS_EMULATED_LINES && settings->n_edges <= FRS_EMULATED_EDGES,
        "%zu lines, %zu edges", settings->n_lines, settings->n_edges);
    if (!make_ends(supervisor, &birth))
        return frs_errors_add(errors, FRS_ERR_RUN, "emulation: no memory or descriptors for %zu clients: %s",
            settings->n_lines, strerror(errno));
    supervisor->process = fork();
    if (supervisor->process == 0)
        enter(&birth);
    close_their_ends(&birth);
    supervisor->listener = hear(supervisor->life, words, sizeof words);
    if (supervisor->listener >= 0)
        return FRS_OK;
    frs_errors_add(errors, FRS_ERR_INPUT,
        "emulation needs the rights of root, or namespaces of users and /dev/net/tun for everybody; it "
        "cannot have %s",
        *words ? words : "a process that keeps them");
    frs_supervisor_stop(supervisor);
    return FRS_ERR_INPUT;
}

static void await_end(pid_t process) {
    for (int i = 0; i < MOST_WAITS; i++) {
        if (waitpid(process, NULL, WNOHANG) != 0)
            return;
        poll(NULL, 0, 1);
    }
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
}

void frs_supervisor_stop(struct frs_supervisor *supervisor) {
    if (supervisor->life < 0)
        return;
    close(supervisor->life); /* by which the supervisor ends, and with it all the others */
    if (supervisor->process > 0)
        await_end(supervisor->process);
    close(supervisor->router);
    if (supervisor->listener >= 0)
        close(supervisor->listener);
    for (size_t i = 0; i < supervisor->n_lines; i++) {
        close(supervisor->orders[i]);
        if (supervisor->mailboxes[i])
            munmap(supervisor->mailboxes[i], sizeof *supervisor->mailboxes[i]);
    }
    for (size_t i = 0; i < supervisor->n_edges; i++)
        close(supervisor->edges[i]);
    if (supervisor->record)
        munmap(supervisor->record, sizeof *supervisor->record);
    *supervisor = (struct frs_supervisor){.life = -1, .listener = -1};
}

void frs_supervisor_last_words(const struct frs_supervisor *supervisor, char *text, size_t size) {
    (void)hear(supervisor->life, text, size);
    if (!*text)
        snprintf(text, size, "the process that keeps all others was killed");
}
