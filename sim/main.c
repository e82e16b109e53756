/* The program: what has to be settled before any library is used, then the command line. */
#include "sim/cli/commands.h"
#include "sim/base/files/program.h"
#include "sim/base/sanitizers.h"

#include <commit.h> /* made by sim/run/commit.cmake */
#include <fcntl.h>
#include <unistd.h>

#if !FRS_SANITIZED /* these need terabytes of address space, and are not there yet before constructors */
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

/* For the libraries and what they do before main. */
#define LEAST_ADDRESS_SPACE ((rlim_t)128 << 20)

static const char one_blas_thread[] = "OPENBLAS_NUM_THREADS=1";

/* Before main, OpenBLAS starts a thread for every processor and needs 128 MB of address space for each;
 * without them it ends or hangs the program. The program wants one thread. Where address space is limited
 * (ulimit -v), OpenBLAS has to learn that before it is initialised, and therefore from the environment of
 * a new start of the program. */
static void start_with_one_blas_thread(int argc, char **argv, char **environment) {
    struct rlimit limit;
    size_t n = 0;
    (void)argc;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    if (limit.rlim_cur < LEAST_ADDRESS_SPACE) {
        static const char line[] =
            "fedrecsim: out of memory: the program alone needs 128 MB of address space (ulimit -v)\n";
        ssize_t said = write(STDERR_FILENO, line, sizeof line - 1);
        (void)said;
        _exit(1);
    }
    while (environment[n])
        n++;
    char *with[n + 2];
    size_t n_with = 0, n_name = strcspn(one_blas_thread, "=") + 1;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(environment[i], one_blas_thread) == 0)
            return;
        if (strncmp(environment[i], one_blas_thread, n_name) != 0)
            with[n_with++] = environment[i];
    }
    with[n_with++] = (char *)one_blas_thread;
    with[n_with] = NULL;
    execve("/proc/self/exe", argv, with);
}

/* Before the constructors of the libraries. */
__attribute__((section(".preinit_array"), used)) static void (*const first)(
    int, char **, char **) = start_with_one_blas_thread;
#endif

/* It has one size whatever it says, and a section of its own: digests of the program leave it out. */
extern const char frs_commit[64];
__attribute__((section(FRS_COMMIT_SECTION), used)) const char frs_commit[64] = FRS_COMMIT;

/* A file that is opened takes the lowest free descriptor. If a standard stream is closed, that would be
 * the stream's descriptor, and messages for people would be written into results. Reading from and writing
 * to the placeholder fail, as on a closed stream. */
static void hold_standard_streams(void) {
    int held;
    do {
        held = open("/dev/null", O_RDONLY);
        if (held == STDIN_FILENO) {
            close(held);
            held = open("/dev/null", O_WRONLY);
        }
    } while (held >= 0 && held <= STDERR_FILENO);
    if (held >= 0)
        close(held);
}

int main(int argc, char **argv) {
    hold_standard_streams();
    return frs_cli_main(argc, argv, frs_commit);
}
