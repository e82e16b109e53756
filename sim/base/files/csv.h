/* CSV: the strict reader for fleets, distributions, traces, and the results of runs.
 *
 * The first line that is neither empty nor a comment (#, in front of the data of a table also %) names the
 * columns; every other line has as many fields. Commas separate the fields, and blanks around a field do not
 * count. A field in double quotes may hold commas, blanks and doubled quotes, and ends on its line. Every
 * message starts with file:line.
 *
 * A table is a file that people make, often with a spreadsheet: semicolons or tabs may separate its fields,
 * as its first line (or the line "sep=;" of Excel) says, and its numbers may have decimal commas. A file in
 * which some numbers have commas and others points is an error at its end, and so is one in which each comma
 * could also separate thousands. */
#ifndef FRS_BASE_CSV_H
#define FRS_BASE_CSV_H

#include "sim/base/files/decimal_marks.h"
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
    bool is_table;
    char separator;
    struct frs_decimal_marks marks; /* of the numbers of a table */
};

/* Opens a table and reads the line with the names. That line has to be one of `headers` (ended by NULL,
 * such as "t_s,factor"); `*header` receives its index. Returns false after adding an error. The caller
 * closes the reader in any case. */
bool frs_csv_open(struct frs_csv *csv, const char *path, const char *const *headers, size_t *header,
    struct frs_errors *errors);

/* The same with whatever columns there are, each named once. */
bool frs_csv_open_table(struct frs_csv *csv, const char *path, struct frs_errors *errors);

/* The same of a file that this program has written, or one like it: commas separate its fields. */
bool frs_csv_open_any(struct frs_csv *csv, const char *path, struct frs_errors *errors);

/* The same of a table that need not name its columns: the first line has their names if one of its fields is
 * `name`, which *is_named receives. Otherwise frs_csv_next begins with that line, and every line has as many
 * fields as it. */
bool frs_csv_open_unnamed(
    struct frs_csv *csv, const char *path, const char *name, bool *is_named, struct frs_errors *errors);

/* How a table is written, where that differs from other files: "separated by semicolons, with decimal
 * commas";
 * "" otherwise. It knows the lines that were read so far. */
const char *frs_csv_layout(const struct frs_csv *csv);

/* The next line with something on it; false at the end and after adding an error. */
bool frs_csv_next(struct frs_csv *csv, struct frs_errors *errors);

/* A field as a finite number, which a decimal comma of a table becomes a point for; false: it is none. */
bool frs_csv_decimal(struct frs_csv *csv, size_t column, double *value);

/* The same; false after adding an error with the name of the column. */
bool frs_csv_number(
    struct frs_csv *csv, size_t column, const char *name, double *value, struct frs_errors *errors);

/* Adds "file:line: …" for the line last read; always false. */
bool frs_csv_error(struct frs_csv *csv, struct frs_errors *errors, const char *format, ...) FRS_PRINTF(3, 4);

void frs_csv_close(struct frs_csv *csv);

#endif
