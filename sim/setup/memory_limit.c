#include "sim/setup/memory_limit.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The number in this file; INFINITY where there is no such file, or "max" in it. */
static double read_limit(const char *path) {
    char line[64], *end;
    FILE *file = fopen(path, "r");
    bool good = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    if (!good)
        return INFINITY;
    double limit = strtod(line, &end);
    return end != line && limit > 0 ? limit : INFINITY;
}

/* Of the group and of all groups around it; `group` begins with a slash. Inside a container the group may be
 * one that is not visible: then the limit of the container lies at the root. */
static double limit_of_group(const char *root, const char *group, const char *file) {
    char *path = frs_strdup(group);
    double least = INFINITY;
    for (char *slash = path; slash;) {
        char *name = frs_format("%s%s/%s", root, path, file);
        least = fmin(least, read_limit(name));
        free(name);
        slash = strrchr(path, '/');
        if (slash)
            *slash = '\0';
    }
    free(path);
    return least;
}

/* Whether `wanted` is one of the names between commas. */
static bool has_controller(const char *names, size_t n, const char *wanted) {
    size_t length = strlen(wanted);
    for (size_t i = 0; i + length <= n; i++)
        if ((i == 0 || names[i - 1] == ',') && strncmp(names + i, wanted, length) == 0 &&
            (i + length == n || names[i + length] == ','))
            return true;
    return false;
}

double frs_memory_limit_of_groups(const char *groups, const char *root) {
    char *v1 = frs_format("%s/memory", root);
    double least = INFINITY;
    for (const char *line = groups; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group || group > line + strcspn(line, "\n"))
            continue;
        size_t n = (size_t)(group - names) - 1;
        char *path = frs_strdup(group + 1);
        path[strcspn(path, "\n")] = '\0';
        if (n == 0)
            least = fmin(least, limit_of_group(root, path, "memory.max"));
        else if (has_controller(names + 1, n, "memory"))
            least = fmin(least, limit_of_group(v1, path, "memory.limit_in_bytes"));
        free(path);
    }
    free(v1);
    return least;
}

double frs_memory_limit(void) {
    char groups[8192];
    struct rlimit space;
    double least = frs_memory_of_machine();
    FILE *file = fopen("/proc/self/cgroup", "r");
    if (file) {
        groups[fread(groups, 1, sizeof groups - 1, file)] = '\0';
        fclose(file);
        least = fmin(least, frs_memory_limit_of_groups(groups, "/sys/fs/cgroup"));
    }
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        least = fmin(least, (double)space.rlim_cur);
    return least;
}
