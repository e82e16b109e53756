/* Store: a sweep's results in one SQLite file.
 *
 * Equal inputs (and an equal version of SQLite) give equal files, byte for byte: rows are inserted in a
 * fixed order, and nothing depends on the machine or the date. The file is written under a temporary name
 * and renamed when complete. A value that does not exist is NULL; a target that was not reached is the
 * real Inf. */
#ifndef FRS_ANALYSIS_TABLES_STORE_H
#define FRS_ANALYSIS_TABLES_STORE_H

#include "analysis/read/records.h"

#include <stdint.h>

struct frs_store;

/* Begins a new file that will replace `path`; NULL after adding an error. */
struct frs_store *frs_store_create(const char *path, struct frs_errors *errors);

/* Puts the file in place and frees the store. What went wrong in any earlier call is reported here. */
enum frs_status frs_store_commit(struct frs_store *store, struct frs_errors *errors) FRS_MUST_CHECK;

/* Removes the file and frees the store; NULL is allowed. */
void frs_store_discard(struct frs_store *store);

/* Adds the rows of a run's rounds.csv to the table `rounds`, which gets the columns it does not have yet. */
void frs_store_add_rounds(struct frs_store *store, size_t point, const struct frs_records *rounds);

/* A table of the store, or a CSV file, or both at once: rows are given value by value. */
struct frs_table_writer;

struct frs_table_writer_column {
    const char *name, *type; /* INTEGER, REAL, TEXT, or NUMERIC: texts that are all numbers */
};

/* `table` of `store` (NULL: none) and CSV file `path` (NULL: none). NULL after adding an error. A NULL
 * name ends the columns. A name that another column has, in upper or lower case, gets the prefix "axis ". */
struct frs_table_writer *frs_table_writer_create(struct frs_store *store, const char *table, const char *path,
    const struct frs_table_writer_column *columns, struct frs_errors *errors);

void frs_table_writer_text(struct frs_table_writer *writer, const char *text);
void frs_table_writer_count(struct frs_table_writer *writer, uint64_t value);
void frs_table_writer_real(struct frs_table_writer *writer, double value); /* NaN: no value */

/* Puts the CSV file in place and frees the writer. */
enum frs_status frs_table_writer_commit(
    struct frs_table_writer *writer, struct frs_errors *errors) FRS_MUST_CHECK;
void frs_table_writer_discard(struct frs_table_writer *writer); /* NULL is allowed */

#endif
