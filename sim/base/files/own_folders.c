#include "sim/base/files/own_folders.h"
#include "sim/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool frs_folder_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The folder of the running program; NULL where /proc does not say. */
static char *program_folder(void) {
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return NULL;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    return slash ? frs_format("%.*s", (int)(slash - path), path) : NULL;
}

/* The first of these folders beside the program that is there, or NULL. */
static char *find_beside(const char *const *beside, size_t n) {
    char *program = program_folder(), *found = NULL;
    for (size_t i = 0; program && !found && i < n; i++) {
        char *folder = frs_format("%s/%s", program, beside[i]);
        char *real = frs_folder_exists(folder) ? realpath(folder, NULL) : NULL;
        found = real ? frs_strdup(real) : NULL;
        free(real);
        free(folder);
    }
    free(program);
    return found;
}

char *frs_folder_of_scenarios(void) {
    static const char *const beside[] = {"../share/fedrecsim/scenarios", "scenarios"};
    const char *named = getenv("FEDRECSIM_SCENARIOS");
    if (named && *named)
        return frs_folder_exists(named) ? frs_strdup(named) : NULL;
    return find_beside(beside, sizeof beside / sizeof *beside);
}

char *frs_folder_of_python(void) {
    static const char *const beside[] = {"../share/fedrecsim/python", "python"};
    return find_beside(beside, sizeof beside / sizeof *beside);
}

/* The specification has relative paths ignored. */
static char *place_of(const char *variable, const char *below_home) {
    const char *base = getenv(variable), *home = getenv("HOME");
    if (base && *base == '/')
        return frs_format("%s/fedrecsim", base);
    return home && *home ? frs_format("%s/%s/fedrecsim", home, below_home) : NULL;
}

char *frs_folder_of_data(void) {
    return place_of("XDG_DATA_HOME", ".local/share");
}

char *frs_folder_of_cache(void) {
    return place_of("XDG_CACHE_HOME", ".cache");
}
