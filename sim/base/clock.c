#include "sim/base/clock.h"

#include <pthread.h>
#include <time.h>

static double now_s(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double frs_wall_s(void) {
    return now_s(CLOCK_MONOTONIC);
}

double frs_cpu_s(void) {
    return now_s(CLOCK_THREAD_CPUTIME_ID);
}

double frs_process_cpu_s(void) {
    return now_s(CLOCK_PROCESS_CPUTIME_ID);
}

int frs_cpu_clock(void) {
    clockid_t clock;
    pthread_getcpuclockid(pthread_self(), &clock);
    return clock;
}

double frs_cpu_clock_s(int clock) {
    return now_s(clock);
}
