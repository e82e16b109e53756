/* Plug-ins: what every entry of a registry starts with. Headers of contracts need no more than this of
 * parameters and values. */
#ifndef FRS_BASE_PLUGIN_H
#define FRS_BASE_PLUGIN_H

#include "sim/base/status.h"

struct frs_param;  /* param.h */
struct frs_values; /* params.h */

/* What every plug-in starts with; a registry is a NULL-terminated array of pointers to these. */
struct frs_plugin {
    const char *name;               /* as written in a scenario */
    const char *summary;            /* one line */
    const char *source;             /* paper, equation or measurement it comes from */
    const struct frs_param *params; /* its own keys, or NULL */
};

/* A named set of settings that takes effect beneath the user's own. `settings` holds pairs of full key
 * ("network.downlink.value") and text, and ends with {NULL, NULL}. */
struct frs_preset {
    struct frs_plugin plugin;
    const char *const (*settings)[2];
};

#endif
