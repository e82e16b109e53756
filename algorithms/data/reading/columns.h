/* Columns: which of a file's columns are the user, the item, the value and the time, by their names. */
#ifndef FRS_ALGORITHMS_DATA_READING_COLUMNS_H
#define FRS_ALGORITHMS_DATA_READING_COLUMNS_H

#include "algorithms/data/reading/fields.h"

enum frs_column { FRS_COLUMN_USER, FRS_COLUMN_ITEM, FRS_COLUMN_VALUE, FRS_COLUMN_TIME, FRS_COLUMNS };

#define FRS_NO_COLUMN SIZE_MAX

/* "user id", "item id", "rating", "time" */
const char *frs_column_text(enum frs_column column);

/* Whether a name is one that data sets in circulation give to such a column ("user_id", "User-ID",
 * "reviewerID"), and how usual: 0: it is none, larger is more usual. */
int frs_column_named(enum frs_column column, struct frs_field name);

/* The columns with the most usual names, or FRS_NO_COLUMN. */
void frs_columns_by_name(const struct frs_field *names, size_t n, size_t columns[FRS_COLUMNS]);

#endif
