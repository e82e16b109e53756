#include "sim/base/clock.h"

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
