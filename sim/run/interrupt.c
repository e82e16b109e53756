#include "sim/run/interrupt.h"
#include "sim/base/clock.h"

#include <stddef.h>
#include <unistd.h>

#define ONE_SIGNAL_S 1.0

static volatile sig_atomic_t interrupted;
static double first_s;

/* As if the signal had never been caught. The first process of a container does not end by itself then. */
static _Noreturn void end_by(int number) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    _exit(128 + number);
}

static void on_signal(int number) {
    static const char message[] =
        "\nfedrecsim: finishing the round, then writing what is complete (again: stop at once)\n";
    if (interrupted && frs_wall_s() - first_s >= ONE_SIGNAL_S)
        end_by(number);
    if (interrupted)
        return;
    first_s = frs_wall_s();
    interrupted = 1;
    ssize_t ignored = write(STDERR_FILENO, message, sizeof message - 1);
    (void)ignored;
}

const volatile sig_atomic_t *frs_interrupt_catch(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, hangup;
    sigset_t *others = &action.sa_mask;
    sigaddset(others, SIGINT);
    sigaddset(others, SIGTERM);
    sigaddset(others, SIGHUP);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return &interrupted;
}
