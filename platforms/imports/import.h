/* Imports: files of links, clients and sessions as others publish them, turned into the CSV files that
 * scenarios take (network.trace, network.fleet, availability.file).
 *
 * A kind is one file in this folder and one line in imports.def. What it writes begins with comments that
 * name the files it was made of, with digests of their bytes. Nothing is scaled or smoothed; what a kind
 * assumes is said by its `layout`. */
#ifndef FRS_PLATFORMS_IMPORTS_IMPORT_H
#define FRS_PLATFORMS_IMPORTS_IMPORT_H

#include "sim/base/invariant.h"
#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum frs_import_target { FRS_IMPORT_TRACE, FRS_IMPORT_FLEET, FRS_IMPORT_SESSIONS, FRS_IMPORT_STATES };

/* A file that is being turned into rows. */
struct frs_import {
    const char *path;
    FILE *out;
    struct frs_errors *errors;
    bool has_client; /* rows of a trace begin with the number of the file, */
    size_t client;   /* which is this */
    bool up;         /* a trace of one direction is of the uplink */
    double step_s;   /* width of the parts in which packets are counted */
    size_t n_rows;
    FILE *in; /* of frs_import_next */
    char *text;
    size_t size, line;
    bool failed;
};

struct frs_import_kind {
    const char *name, *summary;
    const char *layout; /* of the file, with where it is from */
    enum frs_import_target target;
    const char *columns;      /* a fleet's or a trace's own; NULL: of one direction */
    const char *const *marks; /* names in its first line, ended by NULL, by which it is recognised, */
    size_t n_numbers;         /* or how many numbers every line has, with blanks between them */
    bool (*read)(struct frs_import *import); /* false after frs_import_error */
};

extern const struct frs_import_kind *const frs_import_kinds[]; /* ended by NULL */

const struct frs_import_kind *frs_import_kind_of(const char *name);

/* The kind whose layout the first lines of a file have; NULL: none. */
const struct frs_import_kind *frs_import_recognise(const char *path);

/* Whether the file is of such a kind, which this program does not take as it is; then it adds an error that
 * names the command that turns it into one that the program takes. */
bool frs_import_refuses(const char *path, struct frs_errors *errors);

/* Writes the CSV file that is made of these files to `out`. `up` and `step_s` as above. Returns false after
 * adding errors; `out` then has an unknown part of it. */
bool frs_import_write(const struct frs_import_kind *kind, char *const *paths, size_t n_paths, bool up,
    double step_s, FILE *out, struct frs_errors *errors);

/* For kinds: the next line of the file with something on it, without blanks around it; NULL at the end or
 * after an error. The file is opened by the first call. */
char *frs_import_next(struct frs_import *import);

/* The n numbers of a line, separated by blanks or commas; false after an error that says `expected`. */
bool frs_import_numbers(
    struct frs_import *import, const char *line, double *numbers, size_t n, const char *expected);

/* Adds "file:line: …"; always false. */
bool frs_import_error(struct frs_import *import, const char *format, ...) FRS_PRINTF(2, 3);

/* One row of a trace: the capacity in bytes/s from t_s on, rounded to a thousandth. False after an error: it
 * is out of the bounds of a trace. */
bool frs_import_rate(struct frs_import *import, double t_s, double rate);

struct frs_csv;

/* The place of a column, by the first of these names (ended by NULL) that is there, in any case; false after
 * an error that names it. */
bool frs_import_column(
    struct frs_import *import, const struct frs_csv *csv, const char *const *names, size_t *column);

/* A field as the id of a client, which our files take as it is; NULL after an error. */
const char *frs_import_id(struct frs_import *import, const struct frs_csv *csv, size_t column);

#endif
