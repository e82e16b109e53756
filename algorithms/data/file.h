/* File: reading a whole data file, and where it is. */
#ifndef FRS_ALGORITHMS_DATA_FILE_H
#define FRS_ALGORITHMS_DATA_FILE_H

#include "sim/base/status.h"

#include <stddef.h>

struct frs_values;

/* Returns the path in the text setting `key` of `values` (frs_values_path). NULL after adding an error,
 * also if the text is empty. */
const char *frs_file_path(
    const struct frs_values *values, const char *key, struct frs_errors *errors) FRS_MUST_CHECK;

/* Reads all of `path`, which `key` names. The caller frees *text, which may hold any byte and ends in one
 * extra NUL. Missing, unreadable and empty files are input errors. On failure *text is NULL. */
enum frs_status frs_file_read(const struct frs_values *values, const char *key, const char *path, char **text,
    size_t *n, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
