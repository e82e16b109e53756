/* Plug-ins: what every entry of a registry starts with. Headers of contracts need only this header for
 * parameters and values. */
#ifndef FRS_BASE_PLUGIN_H
#define FRS_BASE_PLUGIN_H

#include "sim/base/status.h"

#include <stdbool.h>

struct frs_param;  /* param.h */
struct frs_values; /* params.h */

/* What every plug-in starts with. */
struct frs_plugin {
    const char *name;               /* as written in a scenario */
    const char *summary;            /* one line */
    const char *source;             /* paper, equation or measurement it comes from */
    const struct frs_param *params; /* its own keys, or NULL */
};

/* Capacity of a registry: an array of pointers to plug-ins that a NULL ends. Built-in plug-ins come first,
 * and those that a user has brought (sim/plugins) follow. */
#define FRS_REGISTRY_ROOM 128

/* NULL: it has none of this name. */
const struct frs_plugin *frs_registry_find(const struct frs_plugin *const *registry, const char *name);

/* Adds a plug-in whose name the registry does not have; false: there is no room left. */
bool frs_registry_add(const struct frs_plugin **registry, const struct frs_plugin *plugin) FRS_MUST_CHECK;

/* A named set of settings that takes effect beneath the user's own. `settings` holds pairs of full key
 * ("network.downlink.value") and text, and ends with {NULL, NULL}. */
struct frs_preset {
    struct frs_plugin plugin;
    const char *const (*settings)[2];
};

#endif
