/* Entries of plug-in tables: what each has to bring, and the registries they join. */
#ifndef FRS_PLUGINS_ENTRIES_H
#define FRS_PLUGINS_ENTRIES_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct frs_plugin;
struct frs_plugin_table;

/* Checks each entry of a table and adds all of them to the registries. It is an error, which begins with
 * `path`, if an entry has no name, lacks a function that its kind needs, or has a name that is taken.
 * Entries that were added before it stay. */
enum frs_status frs_plugin_entries_add(
    const struct frs_plugin_table *table, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether the table has this entry. */
bool frs_plugin_entries_has(const struct frs_plugin_table *table, const struct frs_plugin *entry);

/* A function of an entry. */
struct frs_plugin_function {
    const char *kind, *entry, *slot; /* "learner", "biases", "train" */
};

/* The function of a table that begins at `address`; slot NULL: there is none. Allocates nothing. */
struct frs_plugin_function frs_plugin_entries_find(const struct frs_plugin_table *table, uintptr_t address);

#endif
