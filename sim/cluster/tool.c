#include "sim/cluster/tool.h"
#include "sim/base/buffer.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static _Noreturn void become(const char *folder, const char *const *arguments, int output) {
    if (chdir(folder) == 0 && dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0)
        execvp(arguments[0], (char *const *)arguments);
    dprintf(output, "%s: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

static void read_all(int input, struct frs_buffer *said) {
    char piece[4096];
    ssize_t n;
    while ((n = read(input, piece, sizeof piece)) != 0)
        if (n > 0)
            frs_buffer_put(said, piece, (size_t)n);
        else if (errno != EINTR)
            break;
}

static int wait_for(pid_t child) {
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

bool frs_tool_run(const char *folder, const char *const *arguments, char **said) {
    struct frs_buffer buffer = {0};
    int ends[2];
    FRS_INVARIANT(pipe(ends) == 0, "pipe: %s", strerror(errno));
    pid_t child = fork();
    FRS_INVARIANT(child >= 0, "fork: %s", strerror(errno));
    if (child == 0)
        become(folder, arguments, ends[1]);
    close(ends[1]);
    read_all(ends[0], &buffer);
    close(ends[0]);
    int status = wait_for(child);
    frs_buffer_put_u8(&buffer, '\0');
    *said = (char *)buffer.bytes;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
