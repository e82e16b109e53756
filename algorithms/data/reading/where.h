/* Where: which lines of a file are interactions, by the text of one column ("behavior = buy, cart"). */
#ifndef FRS_ALGORITHMS_DATA_READING_WHERE_H
#define FRS_ALGORITHMS_DATA_READING_WHERE_H

#include "algorithms/data/reading/fields.h"

enum { FRS_WHERE_VALUES = 16 };

struct frs_where {
    struct frs_field column; /* its name, or its position; text == NULL: every line is an interaction */
    size_t position;         /* from 0; SIZE_MAX: the column is given by name */
    struct frs_field values[FRS_WHERE_VALUES];
    size_t n_values;
    const char *text; /* all of it, as written */
};

/* Reads "COLUMN = VALUE, VALUE, …", where a column is a name or a position counted from 1. Blanks around
 * names and values do not count. An empty text is no condition. The text is borrowed. Returns NULL, or what
 * is wrong. */
const char *frs_where_read(const char *text, struct frs_where *where);

/* Which of the values a field is, or SIZE_MAX. */
size_t frs_where_find(const struct frs_where *where, struct frs_field field);

#endif
