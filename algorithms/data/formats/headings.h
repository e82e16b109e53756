/* Headings: which columns are the user and the item where the names in a header do not say it. */
#ifndef FRS_ALGORITHMS_DATA_FORMATS_HEADINGS_H
#define FRS_ALGORITHMS_DATA_FORMATS_HEADINGS_H

#include "algorithms/data/formats/format.h"

/* Puts the first columns that are left into columns[FRS_COLUMN_USER] and [FRS_COLUMN_ITEM] where these are
 * FRS_NO_COLUMN. A column "Id" whose texts repeat is an item, and goes before one of titles; one whose texts
 * do not repeat counts rows. The header is the first line of `head`. Returns a note "; …" that says what was
 * taken without a heading that says so, unless the scenario names the column (`given`: user, item), which the
 * caller frees, or NULL. */
char *frs_headings_choose(struct frs_field head, const struct frs_separator *separator,
    size_t columns[FRS_COLUMNS], const bool given[2]);

#endif
