#include "sim/cluster/launcher.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define LAUNCHER(name) extern const struct frs_launcher frs_launcher_##name;
#include "sim/cluster/launchers.def"
#undef LAUNCHER

const struct frs_launcher *const frs_launchers[] = {
#define LAUNCHER(name) &frs_launcher_##name,
#include "sim/cluster/launchers.def"
#undef LAUNCHER
    NULL,
};

const struct frs_launcher *frs_launcher_find(const char *name) {
    for (size_t i = 0; frs_launchers[i]; i++)
        if (strcmp(frs_launchers[i]->name, name) == 0)
            return frs_launchers[i];
    return NULL;
}

char *frs_launcher_names(void) {
    char *names = frs_strdup("local");
    for (size_t i = 0; frs_launchers[i]; i++) {
        char *longer = frs_format("%s, %s", names, frs_launchers[i]->name);
        free(names);
        names = longer;
    }
    return names;
}
