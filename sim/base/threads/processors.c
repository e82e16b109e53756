#include "sim/base/threads/processors.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static size_t bound_to(void) {
    enum { MOST = 1 << 16 };
    cpu_set_t *set = CPU_ALLOC(MOST);
    size_t n = 0;
    if (set && sched_getaffinity(0, CPU_ALLOC_SIZE(MOST), set) == 0)
        n = (size_t)CPU_COUNT_S(CPU_ALLOC_SIZE(MOST), set);
    CPU_FREE(set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return n ? n : online > 0 ? (size_t)online : 1;
}

size_t frs_processors_within(const char *cpu_max, size_t n) {
    double quota, period;
    if (sscanf(cpu_max, "%lf %lf", &quota, &period) != 2 || !(quota > 0 && period > 0))
        return n;
    double whole = quota / period;
    if (whole >= (double)n)
        return n;
    return (size_t)whole + ((double)(size_t)whole < whole);
}

size_t frs_processors(void) {
    char line[64] = "max";
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    return frs_processors_within(line, bound_to());
}
