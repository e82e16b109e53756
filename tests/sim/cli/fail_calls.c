/* Lets one system call of a program fail, the n-th that concerns a file of a folder, memory, or a process, or
 * fills the disk or kills the program there.
 *
 *   fail_calls REPORT FOLDER N[+|d|k] VARIANT PROGRAM ARGUMENT...
 *
 * N counts, over all processes of the program, calls that read, write, open, rename or make files below
 * FOLDER, map memory of 256 KiB or more, or start a process or a thread; "N+" lets all later ones of its kind
 * fail, too; 0 lets none fail. VARIANT chooses among the error codes that such a call may have. "Nd" fills
 * the disk: from that call on none has room that needs it. "Nk" ends the program with SIGKILL before that
 * call. REPORT receives a line "CALLS N", how many there were, and the one that failed first.
 *
 * The kernel asks this process about each of these calls (seccomp_unotify(2)), so that also those of the
 * C library's streams and of other libraries are met, which a preloaded library does not see. The exit code
 * is the program's, 128 and its number for a signal, or 77 where the kernel cannot do this. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SKIPPED = 77, LONGEST_S = 120, MOST_PATH = 4096, LEAST_MAP = 256 << 10 };

enum kind { BY_DESCRIPTOR, BY_PATH, BY_TWO_PATHS, OPEN, MAP, START };

/* What may fail, and how; codes end with 0. */
static const struct call {
    const char *name;
    long number;
    enum kind kind;
    int codes[4];
} calls[] = {
    {"openat", SYS_openat, OPEN, {EMFILE, EACCES, EIO}},
    {"write", SYS_write, BY_DESCRIPTOR, {ENOSPC, EIO, EDQUOT}},
    {"pwrite", SYS_pwrite64, BY_DESCRIPTOR, {ENOSPC, EIO, EDQUOT}},
    {"writev", SYS_writev, BY_DESCRIPTOR, {ENOSPC, EIO, EDQUOT}},
    {"read", SYS_read, BY_DESCRIPTOR, {EIO}},
    {"pread", SYS_pread64, BY_DESCRIPTOR, {EIO}},
    {"fsync", SYS_fsync, BY_DESCRIPTOR, {EIO, ENOSPC}},
    {"fdatasync", SYS_fdatasync, BY_DESCRIPTOR, {EIO, ENOSPC}},
    {"ftruncate", SYS_ftruncate, BY_DESCRIPTOR, {ENOSPC, EIO}},
    {"fallocate", SYS_fallocate, BY_DESCRIPTOR, {ENOSPC, EIO}},
    {"flock", SYS_flock, BY_DESCRIPTOR, {ENOLCK}},
    {"close", SYS_close, BY_DESCRIPTOR, {EIO, ENOSPC}},
    {"mkdir", SYS_mkdir, BY_PATH, {ENOSPC, EACCES, EIO}},
    {"mkdirat", SYS_mkdirat, BY_TWO_PATHS, {ENOSPC, EACCES, EIO}},
    {"rename", SYS_rename, BY_PATH, {EIO, ENOSPC, EACCES}},
    {"renameat", SYS_renameat, BY_TWO_PATHS, {EIO, ENOSPC, EACCES}},
    {"renameat2", SYS_renameat2, BY_TWO_PATHS, {EIO, ENOSPC, EACCES}},
    {"link", SYS_link, BY_PATH, {EIO, ENOSPC, EMLINK}},
    {"linkat", SYS_linkat, BY_TWO_PATHS, {EIO, ENOSPC, EMLINK}},
    {"mmap", SYS_mmap, MAP, {ENOMEM}},
    {"clone", SYS_clone, START, {EAGAIN, ENOMEM}},
    {"clone3", SYS_clone3, START, {EAGAIN, ENOMEM}},
    {"fork", SYS_fork, START, {EAGAIN, ENOMEM}},
    {"vfork", SYS_vfork, START, {EAGAIN, ENOMEM}},
};
enum { N_CALLS = sizeof calls / sizeof *calls };

static const char *folder;
static unsigned long wanted, counted, variant;
static enum { ALONE = '\0', STAYS = '+', DISK = 'd', KILLS = 'k' } manner;
static pid_t program_id;
static const struct call *failed;
static char failed_path[MOST_PATH];
static int failed_code;

/* ---- the program ------------------------------------------------------------------------------ */

static int listen_to_calls(void) {
    struct sock_filter filter[2 * N_CALLS + 3];
    size_t n = 0;
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < N_CALLS; i++) {
        filter[n++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i].number, 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)n, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* Shares its descriptors with this process until it becomes the program: *listener is one of both. */
static pid_t start(char **arguments, volatile int *listener) {
    pid_t pid = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid != 0)
        return pid;
    int file = listen_to_calls();
    *listener = file >= 0 ? file : -2;
    if (file >= 0)
        execv(arguments[0], arguments);
    _exit(SKIPPED);
}

/* ---- what a call concerns --------------------------------------------------------------------- */

static bool link_of(pid_t pid, const char *what, char *path) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/%s", (int)pid, what);
    ssize_t n = readlink(name, path, MOST_PATH - 1);
    path[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static bool is_in_folder(const char *path) {
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static bool descriptor_is_ours(pid_t pid, uint64_t descriptor, char *path) {
    char what[32];
    snprintf(what, sizeof what, "fd/%d", (int)descriptor);
    return link_of(pid, what, path) && is_in_folder(path);
}

/* Joins a path of the program to the folder it begins in. */
static bool path_is_ours(pid_t pid, uint64_t begins_in, uint64_t address, char *path) {
    char name[32], text[MOST_PATH / 2] = "";
    snprintf(name, sizeof name, "/proc/%d/mem", (int)pid);
    int memory = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t n = memory >= 0 ? pread(memory, text, sizeof text - 1, (off_t)address) : -1;
    if (memory >= 0)
        close(memory);
    if (n <= 0 || *text == '\0')
        return false;
    if (*text == '/') {
        strcpy(path, text);
        return is_in_folder(path);
    }
    char what[32];
    snprintf(what, sizeof what, (int)begins_in == AT_FDCWD ? "cwd" : "fd/%d", (int)begins_in);
    if (!link_of(pid, what, path) || !is_in_folder(path))
        return false;
    size_t length = strlen(path);
    snprintf(path + length, MOST_PATH - length, "/%s", text);
    return true;
}

static bool counts(const struct call *call, const struct seccomp_notif *asked, char *path) {
    pid_t pid = (pid_t)asked->pid;
    const __u64 *at = asked->data.args;
    *path = '\0';
    switch (call->kind) {
    case BY_DESCRIPTOR:
        return descriptor_is_ours(pid, at[0], path);
    case BY_PATH:
        return path_is_ours(pid, (uint64_t)AT_FDCWD, at[0], path);
    case BY_TWO_PATHS: /* the first: where something is made, or what is moved */
        return path_is_ours(pid, at[0], at[1], path);
    case OPEN: /* the loader may look for libraries in the working folder */
        return path_is_ours(pid, at[0], at[1], path) && !strstr(path, ".so");
    case MAP:
        return at[1] >= LEAST_MAP && at[2] != PROT_NONE && at[3] & MAP_ANONYMOUS && !(at[3] & MAP_FIXED);
    default:
        return true;
    }
}

/* Whether the call takes room on a disk, and says so: what is already written may always be renamed. */
static bool needs_room(const struct call *call, const struct seccomp_notif *asked) {
    bool can_fail_so = false;
    for (size_t i = 0; i < 4; i++)
        can_fail_so |= call->codes[i] == ENOSPC;
    if (call->kind == OPEN)
        return asked->data.args[2] & O_CREAT || (asked->data.args[2] & O_TMPFILE) == O_TMPFILE;
    return can_fail_so && strncmp(call->name, "rename", 6) != 0 && call->number != SYS_close;
}

static bool hits(const struct call *call, const struct seccomp_notif *asked) {
    if (wanted == 0 || counted < wanted)
        return false;
    if (manner == DISK)
        return needs_room(call, asked);
    return counted == wanted || (manner == STAYS && failed == call);
}

static void note_failure(const struct call *call, int code, const char *path) {
    failed = call;
    failed_code = code;
    strcpy(failed_path, path);
}

/* The code with which the call fails, or 0. */
static int code_of(const struct call *call, const struct seccomp_notif *asked) {
    char path[MOST_PATH];
    if (!counts(call, asked, path))
        return 0;
    counted++;
    if (!hits(call, asked))
        return 0;
    if (manner == KILLS) {
        kill(program_id, SIGKILL);
        note_failure(call, 0, path);
        return 0;
    }
    size_t n = 0;
    while (n < 4 && call->codes[n])
        n++;
    if (!failed)
        note_failure(call, manner == DISK ? ENOSPC : call->codes[variant % n], path);
    return failed_code;
}

static void answer(int listener, struct seccomp_notif *asked, struct seccomp_notif_resp *answer) {
    memset(asked, 0, sizeof *asked);
    memset(answer, 0, sizeof *answer);
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, asked) != 0)
        return;
    int code = 0;
    for (size_t i = 0; i < N_CALLS; i++)
        if (calls[i].number == asked->data.nr)
            code = code_of(&calls[i], asked);
    answer->id = asked->id;
    answer->error = -code;
    answer->flags = code ? 0 : SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, answer); /* fails where the program has been killed meanwhile */
}

/* ---- the watch -------------------------------------------------------------------------------- */

static void on_child(int number) {
    (void)number;
}

/* Until the program and all its processes have ended. Returns the program's status. */
static int watch(int listener, pid_t pid) {
    static struct seccomp_notif asked;
    static struct seccomp_notif_resp response;
    int status = 0;
    bool ended = false;
    time_t began_s = time(NULL);
    for (;;) {
        struct pollfd waits = {.fd = listener, .events = POLLIN};
        poll(&waits, 1, 20);
        if (waits.revents & POLLIN)
            answer(listener, &asked, &response);
        else if (ended && waits.revents & POLLHUP)
            return status;
        if (!ended)
            ended = waitpid(pid, &status, WNOHANG) == pid;
        if (time(NULL) - began_s > LONGEST_S) {
            fprintf(stderr, "fail_calls: the program takes longer than %d s\n", LONGEST_S);
            kill(pid, SIGKILL);
            if (!ended)
                waitpid(pid, &status, 0);
            return status;
        }
    }
}

static bool write_report(const char *path) {
    FILE *report = fopen(path, "w");
    if (!report)
        return false;
    fprintf(report, "CALLS %lu\n", counted);
    if (failed)
        fprintf(report, "%s%s %s: %s\n", failed->name,
            manner == STAYS  ? ", and all later ones,"
            : manner == DISK ? ", and all later calls that need room,"
                             : "",
            failed_path, manner == KILLS ? "killed" : strerror(failed_code));
    return fclose(report) == 0;
}

int main(int n, char **arguments) {
    struct sigaction on = {.sa_handler = on_child};
    volatile int *listener =
        mmap(NULL, sizeof *listener, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char *end = NULL;
    if (n < 6 || listener == MAP_FAILED) {
        fputs("usage: fail_calls REPORT FOLDER N[+|d|k] VARIANT PROGRAM ARGUMENT...\n", stderr);
        return 2;
    }
    folder = arguments[2];
    wanted = strtoul(arguments[3], &end, 10);
    manner = *end == STAYS ? STAYS : *end == DISK ? DISK : *end == KILLS ? KILLS : ALONE;
    variant = strtoul(arguments[4], NULL, 10);
    sigaction(SIGCHLD, &on, NULL);
    *listener = -1;
    program_id = start(arguments + 5, listener);
    while (*listener == -1)
        usleep(100);
    if (program_id < 0 || *listener < 0) {
        fputs("fail_calls: this kernel has no notifications of system calls\n", stderr);
        return SKIPPED;
    }
    int status = watch(*listener, program_id);
    if (!write_report(arguments[1])) {
        fprintf(stderr, "fail_calls: %s: %s\n", arguments[1], strerror(errno));
        return 2;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
