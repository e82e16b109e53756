/* Memory limit: how much memory this process may have, whatever of it is in use. */
#ifndef FRS_SETUP_MEMORY_LIMIT_H
#define FRS_SETUP_MEMORY_LIMIT_H

/* The least of the machine's memory, the limits of the process's control groups (containers, batch systems)
 * and its address space (ulimit -v), in bytes. */
double frs_memory_limit(void);

/* The least limit of the control groups in `groups`, which has the lines of /proc/self/cgroup, and of the
 * groups around them, in bytes; INFINITY where none has a limit. `root` is the folder in which control
 * groups are mounted (/sys/fs/cgroup): version 2 has memory.max, version 1 memory/…/memory.limit_in_bytes. */
double frs_memory_limit_of_groups(const char *groups, const char *root);

#endif
