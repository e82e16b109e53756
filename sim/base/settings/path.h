/* Path: resolves a path written by the user.
 *
 * A leading "~" is the home folder. $NAME and ${NAME} are environment variables wherever they stand, and
 * "$$" is a dollar sign. An empty variable counts as not set: otherwise the path would begin at the root,
 * which is never meant. Two variables have a default folder, if it exists: FEDRECSIM_DATA the folder of
 * the user's data sets, FEDRECSIM_SCENARIOS the folder of the scenarios that come with the program
 * (sim/base/files/own_folders.h). */
#ifndef FRS_BASE_PATH_H
#define FRS_BASE_PATH_H

#include "sim/base/settings/params.h"

#include <stddef.h>

/* Notes where a value was set, and looks for the file that it names: a relative path that stands in a
 * scenario
 * (`in_file`, with `where` "folder/file:line") is relative to the scenario's folder, and value->text becomes
 * the path from the working folder, value->said what the scenario says. A file that is there alone is taken,
 * too. */
void frs_value_place(struct frs_value *value, const char *where, bool in_file);

/* Freed by the caller. On NULL, `reason` (at most `size` bytes) says what is wrong ("needs the environment
 * variable DATA, which is not set"). */
char *frs_path_expand(const char *text, char *reason, size_t size);

/* Returns the path that a text of the scenario names, borrowed from the values; empty if the text is
 * empty. NULL after adding an error. */
const char *frs_values_path(const struct frs_values *values, const char *key, struct frs_errors *errors);

/* The same of a file that is there to be read: one that is not is an error that says which key names it. */
const char *frs_values_file(const struct frs_values *values, const char *key, struct frs_errors *errors);

#endif
