/* Tools: the programs by which a system is told what to do. */
#ifndef FRS_CLUSTER_TOOL_H
#define FRS_CLUSTER_TOOL_H

#include <stdbool.h>

/* Whether the PATH has such a program. */
bool frs_tool_is_here(const char *name);

/* Runs a program in `folder`, with this process's input and no other descriptor of it. *said gets its output
 * and errors as one text, freed with free(); what it leaves running is not waited for. Returns its exit code,
 * or 128 and the signal that ended it. */
int frs_tool_code(const char *folder, const char *const *arguments, char **said);

/* The same; returns whether it ended with 0. */
bool frs_tool_run(const char *folder, const char *const *arguments, char **said);

/* Runs a program in `folder` with this process's output, until it ends; signals of the terminal reach both.
 * Returns its exit code, 128 and the signal that ended it, or -1 when it could not be started. */
int frs_tool_follow(const char *folder, const char *const *arguments);

#endif
