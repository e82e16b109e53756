/* What table writers need of the store. */
#ifndef FRS_ANALYSIS_TABLES_STORE_INTERNAL_H
#define FRS_ANALYSIS_TABLES_STORE_INTERNAL_H

#include "analysis/tables/store.h"

#include <sqlite3.h>

/* Creates a table and prepares the insertion of a row; NULL when it failed, which the commit reports. */
sqlite3_stmt *frs_store_create_table(struct frs_store *store, const char *table, char **names,
    const struct frs_table_writer_column *columns, size_t n);

/* Carries out a statement with its parameters, and makes it ready for the next ones. */
void frs_store_step(struct frs_store *store, sqlite3_stmt *statement);

/* Binds a parameter to the content of a field of a CSV file: a whole number stays one, "" is no value, and
 * anything that is no number is a text. */
void frs_store_bind(struct frs_store *store, sqlite3_stmt *statement, int place, const char *field);

/* Keeps what went wrong for the commit, if `code` is not SQLITE_OK. */
void frs_store_note(struct frs_store *store, int code);

#endif
