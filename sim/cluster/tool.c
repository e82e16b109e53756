#include "sim/cluster/tool.h"
#include "sim/base/buffer.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

bool frs_tool_is_here(const char *name) {
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t length = strcspn(path, ":");
        char *file = frs_format("%.*s/%s", (int)length, path, name);
        found = access(file, X_OK) == 0;
        free(file);
        path += length + (path[length] == ':');
    }
    return found;
}

/* The program inherits input, output and errors alone: what it leaves running would hold locks and pipes
 * open. */
static _Noreturn void become(const char *folder, const char *const *arguments, int output) {
    if (dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0) {
        closefrom(STDERR_FILENO + 1);
        if (chdir(folder) == 0)
            execvp(arguments[0], (char *const *)arguments);
    }
    dprintf(STDERR_FILENO, "%s: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

static char *read_all(int file) {
    struct frs_buffer said = {0};
    char piece[4096];
    ssize_t n;
    for (off_t at = 0; (n = pread(file, piece, sizeof piece, at)) > 0; at += n)
        frs_buffer_put(&said, piece, (size_t)n);
    frs_buffer_put_u8(&said, '\0');
    return (char *)said.bytes;
}

static int wait_for(pid_t child) {
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* Output goes into a file: a pipe would end only with the last process that the program leaves behind, and
 * break under one that says something later. */
int frs_tool_code(const char *folder, const char *const *arguments, char **said) {
    int output = memfd_create("output", MFD_CLOEXEC);
    FRS_INVARIANT(output >= 0, "memfd_create: %s", strerror(errno));
    (void)!fcntl(output, F_SETFL, O_APPEND); /* also of what opens /dev/stderr anew */
    pid_t child = fork();
    FRS_INVARIANT(child >= 0, "fork: %s", strerror(errno));
    if (child == 0)
        become(folder, arguments, output);
    int status = wait_for(child);
    *said = read_all(output);
    close(output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool frs_tool_run(const char *folder, const char *const *arguments, char **said) {
    return frs_tool_code(folder, arguments, said) == 0;
}

/* A terminal sends Ctrl-C to the program, too, which ends in its own time; this process then says what became
 * of the tasks. */
int frs_tool_follow(const char *folder, const char *const *arguments) {
    struct sigaction ignored = {.sa_handler = SIG_IGN}, interrupt, quit;
    fflush(NULL);
    sigaction(SIGINT, &ignored, &interrupt);
    sigaction(SIGQUIT, &ignored, &quit);
    pid_t child = fork();
    if (child == 0) {
        sigaction(SIGINT, &interrupt, NULL);
        sigaction(SIGQUIT, &quit, NULL);
        if (chdir(folder) == 0)
            execvp(arguments[0], (char *const *)arguments);
        fprintf(stderr, "%s: %s\n", arguments[0], strerror(errno));
        _exit(127);
    }
    int status = child < 0 ? -1 : wait_for(child);
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return child < 0 ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
