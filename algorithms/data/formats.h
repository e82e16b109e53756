/* Formats: how the columns of a data file are laid out. */
#ifndef FRS_ALGORITHMS_DATA_FORMATS_H
#define FRS_ALGORITHMS_DATA_FORMATS_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_values;

enum frs_column { FRS_COLUMN_USER, FRS_COLUMN_ITEM, FRS_COLUMN_VALUE, FRS_COLUMN_TIME, FRS_COLUMNS };

enum frs_header {
    FRS_HEADER_NEVER,
    FRS_HEADER_MAYBE, /* the first line, if no field of it is a number */
    FRS_HEADER_ALWAYS,
};

#define FRS_NO_COLUMN SIZE_MAX

struct frs_format {
    const char *name;
    const char *separator; /* one or more characters */
    enum frs_header header;
    size_t n_fields;                /* exact number per line; 0: as many as the columns need, or more */
    size_t columns[FRS_COLUMNS];    /* position from 0, or FRS_NO_COLUMN */
    const char *names[FRS_COLUMNS]; /* with a header: name of the column to look up there, or NULL */
    bool ids_are_numbers;
    double min_value, max_value; /* of a rating or play count */
};

/* Returns the format that section `data` asks for; only for formats that are read from a file. Reads the
 * keys of the column mapping for csv only. Strings are borrowed from `data`. */
enum frs_status frs_format_of(
    const struct frs_values *data, struct frs_format *format, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
