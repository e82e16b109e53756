/* Crash: when a plug-in ends the process by a signal (an access out of bounds, a failed assertion), one
 * line on stderr names the plug-in and the function that was called. The program then exits as after a
 * failed run. */
#ifndef FRS_PLUGINS_CRASH_H
#define FRS_PLUGINS_CRASH_H

struct frs_plugin_table;

/* The object at `path` is about to be loaded, which may run code of it. */
void frs_crash_expect(const char *path);

/* Watches the object that this table is in, which stays until the process ends. */
void frs_crash_watch(const char *path, const struct frs_plugin_table *table);

#endif
