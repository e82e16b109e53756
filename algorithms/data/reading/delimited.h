/* Delimited files: one interaction a line, in fields. */
#ifndef FRS_ALGORITHMS_DATA_READING_DELIMITED_H
#define FRS_ALGORITHMS_DATA_READING_DELIMITED_H

#include "algorithms/data/reading/columns.h"
#include "algorithms/data/reading/lines.h"
#include "algorithms/data/reading/row_builder.h"
#include "algorithms/data/reading/where.h"

enum frs_header {
    FRS_HEADER_NEVER,
    FRS_HEADER_MAYBE, /* the first line, if no field of it is a number */
    FRS_HEADER_ALWAYS,
};

struct frs_layout {
    struct frs_separator separator;
    enum frs_header header;
    size_t n_fields;                /* exact number per line; 0: as many as the first line has */
    size_t columns[FRS_COLUMNS];    /* position from 0, or FRS_NO_COLUMN */
    const char *names[FRS_COLUMNS]; /* with a header: name of the column to look up there, or NULL */
    bool ids_are_numbers;
    bool guessed;                /* messages name the keys that say which columns are read */
    bool value_guessed;          /* the column of the value may be none (guessed_values.h) */
    bool may_be_matrix;          /* a column may be an item, so that the file is refused */
    struct frs_where where;      /* which lines are interactions; where.text == NULL: all of them */
    bool tells_unused;           /* notes name the columns that are not read */
    double min_value, max_value; /* of a rating or play count */
    const char *separator_key;   /* the key that sets the separator, for messages; or NULL */
    /* NULL, or makes the text of a time from several columns, in at most 64 characters. The column of the
     * time is the first of them. */
    struct frs_field (*time_of)(const void *context, const struct frs_field *fields, size_t n, char text[64]);
    const void *context;
};

/* Reads all lines. A malformed line is an input error that names file:line, what was found and what is
 * expected: one with more fields than the first has, unless the further ones are empty; one with fewer; a
 * header that is a line of data. Lines that layout->where leaves out are counted and told. */
void frs_delimited_read(
    const struct frs_layout *layout, struct frs_lines *lines, struct frs_row_builder *builder);

#endif
