#include "sim/base/settings/plugin.h"

#include <stddef.h>
#include <string.h>

const struct frs_plugin *frs_registry_find(const struct frs_plugin *const *registry, const char *name) {
    for (; *registry; registry++)
        if (strcmp((*registry)->name, name) == 0)
            return *registry;
    return NULL;
}

bool frs_registry_add(const struct frs_plugin **registry, const struct frs_plugin *plugin) {
    size_t n = 0;
    while (registry[n])
        n++;
    if (n + 1 >= FRS_REGISTRY_ROOM)
        return false;
    registry[n] = plugin;
    return true;
}
