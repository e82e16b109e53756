/* Returns how many processors this process may use at a time, at least 1: those it is bound to (taskset, a
 * batch system), but at most its control group's share of time (containers). */
#ifndef FRS_BASE_PROCESSORS_H
#define FRS_BASE_PROCESSORS_H

#include <stddef.h>

size_t frs_processors(void);

/* How many of n processors a line of cgroup's cpu.max allows, rounded up ("150000 100000": microseconds of
 * time, per so many microseconds). "max" allows all. */
size_t frs_processors_within(const char *cpu_max, size_t n);

#endif
