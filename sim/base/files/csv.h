/* CSV: the strict reader for fleets, distributions, traces, and the results of runs.
 *
 * The first line that is neither empty nor a comment (#) names the columns; every other line has as many
 * fields. Commas separate the fields, and blanks around a field do not count. A field in double quotes may
 * hold commas, blanks and doubled quotes, and ends on its line. Every message starts with file:line. */
#ifndef FRS_BASE_CSV_H
#define FRS_BASE_CSV_H

#include "sim/base/invariant.h"
#include "sim/base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct frs_csv {
    const char *path; /* borrowed */
    FILE *file;
    size_t line; /* of the fields, from 1 */
    size_t n_columns;
    char **names;  /* [n_columns], of the first line */
    char **fields; /* [n_columns], of the last line read; they point into `text` */
    char *text;
    size_t size, n_fields, capacity;
    bool failed; /* an error was added */
    bool unread; /* the first line has no names, and is the next one */
};

/* Opens the file and reads the line with the names. That line has to be one of `headers` (ended by NULL,
 * such as "t_s,factor"); `*header` receives its index. Returns false after adding an error. The caller
 * closes the reader in any case. */
bool frs_csv_open(struct frs_csv *csv, const char *path, const char *const *headers, size_t *header,
    struct frs_errors *errors);

/* The same with whatever columns there are, each named once. */
bool frs_csv_open_any(struct frs_csv *csv, const char *path, struct frs_errors *errors);

/* The same of a file that need not name its columns: the first line has their names if one of its fields is
 * `name`, which *is_named receives. Otherwise frs_csv_next begins with that line, and every line has as many
 * fields as it. */
bool frs_csv_open_unnamed(
    struct frs_csv *csv, const char *path, const char *name, bool *is_named, struct frs_errors *errors);

/* The next line with something on it; false at the end and after adding an error. */
bool frs_csv_next(struct frs_csv *csv, struct frs_errors *errors);

/* A field as a finite number; false after adding an error with the name of the column. */
bool frs_csv_number(
    struct frs_csv *csv, size_t column, const char *name, double *value, struct frs_errors *errors);

/* Adds "file:line: …" for the line last read; always false. */
bool frs_csv_error(struct frs_csv *csv, struct frs_errors *errors, const char *format, ...) FRS_PRINTF(3, 4);

void frs_csv_close(struct frs_csv *csv);

#endif
