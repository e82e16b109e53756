/* Records: all rows of a CSV file (sim/base/files/csv.h) in memory, with all of its columns or some of
 * them. */
#ifndef FRS_ANALYSIS_READ_RECORDS_H
#define FRS_ANALYSIS_READ_RECORDS_H

#include "sim/base/arena.h"
#include "sim/base/status.h"

#include <stdbool.h>

struct frs_record;

struct frs_records {
    char *path;
    size_t n_columns, n, capacity;
    const char **names;       /* [n_columns] */
    struct frs_record **rows; /* [n] */
    struct frs_arena arena;   /* of names and rows */
};

/* Reads the whole file. On failure adds an error that starts with path:line, and leaves nothing. */
enum frs_status frs_records_read(
    const char *path, struct frs_records *records, struct frs_errors *errors) FRS_MUST_CHECK;

/* Reads only columns whose names are `wanted`: all columns of a long file take much more memory than a
 * few. */
enum frs_status frs_records_read_columns(const char *path,
    bool (*wanted)(const void *context, const char *name), const void *context, struct frs_records *records,
    struct frs_errors *errors) FRS_MUST_CHECK;

void frs_records_fini(struct frs_records *records);

/* *column: that of a name. An error with the file's name when there is none. */
enum frs_status frs_records_column(const struct frs_records *records, const char *name, size_t *column,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* "" is a value that does not exist. */
const char *frs_records_field(const struct frs_records *records, size_t row, size_t column);

/* The line of the file a row begins on, for messages. */
size_t frs_records_line(const struct frs_records *records, size_t row);

/* A field as a number: NaN when it is empty; anything else that is no number is an error with path:line. */
enum frs_status frs_records_number(const struct frs_records *records, size_t row, size_t column,
    double *value, struct frs_errors *errors) FRS_MUST_CHECK;

/* A whole column as numbers: values[n], freed with free(), also after a failure. */
enum frs_status frs_records_numbers(const struct frs_records *records, const char *name, double **values,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
