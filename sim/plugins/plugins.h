/* Plug-ins from outside of the tree: shared objects whose tables (sim/plugins/table.h) join the registries
 * of this process.
 *
 * They are loaded once, before a scenario is read and before there are threads, and stay until the process
 * ends. Processes forked afterwards have them, too. */
#ifndef FRS_PLUGINS_PLUGINS_H
#define FRS_PLUGINS_PLUGINS_H

#include "sim/base/files/digest.h"
#include "sim/base/status.h"

#include <stddef.h>

/* In lists of the files that a run has read, plug-ins are "plugins.1", "plugins.2", … */
#define FRS_PLUGINS_KEY "plugins."

struct frs_plugin;
struct frs_plugin_table;

struct frs_loaded_plugin {
    char *path; /* absolute: where it was loaded from, or where it was when what is repeated was made */
    struct frs_digest digest;
    const struct frs_plugin_table *table;
};

/* Loads a shared object; does nothing if one with the same content was loaded. Errors begin with `path`.
 * An object that was refused may leave entries in registries, so the caller has to end the program. */
enum frs_status frs_plugins_load(const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

/* Those loaded so far, in their order; returns their number. */
size_t frs_plugins_loaded(const struct frs_loaded_plugin **list);

/* The one whose table has this entry of a registry; NULL: the entry is built in. */
const struct frs_loaded_plugin *frs_plugins_of(const struct frs_plugin *entry);

/* Plug-in i is a copy of the one that was at `path`. */
void frs_plugins_name(size_t i, const char *path);

/* The one of this digest as text, or NULL. */
const struct frs_loaded_plugin *frs_plugins_find(const char *digest);

#endif
