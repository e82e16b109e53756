/* Returns how many processors this process may use at a time: those it is bound to (taskset, a batch system),
 * but at most its control group's share of time (containers). At least 1. */
#ifndef FRS_BASE_PROCESSORS_H
#define FRS_BASE_PROCESSORS_H

#include <stddef.h>

size_t frs_processors(void);

/* What a line of cgroup's cpu.max ("150000 100000": microseconds, of so many) leaves of n, rounded up; "max":
 * all of them. */
size_t frs_processors_within(const char *cpu_max, size_t n);

#endif
