/* Unrated: whether a value of a file looks as if it meant "no rating" and no rating of its own. */
#ifndef FRS_ALGORITHMS_DATA_PREPARATION_UNRATED_H
#define FRS_ALGORITHMS_DATA_PREPARATION_UNRATED_H

#include "algorithms/data/reading/data_rows.h"

struct frs_unrated {
    double value;
    size_t n;           /* rows that have it; 0: no value looks so */
    size_t n_rows;      /* that were considered */
    double least, most; /* of all other values */
};

/* Considers the rows with a value of at least `from` that is not `except` (NaN: all values). A value that
 * files use for "no rating" (0, -1, -99 at the lower end of the scale, 99, 999 at the upper one) looks so
 * where three or more other values exist and it is
 * - apart: farther from them than 1.5 of the smallest steps between them (than half of their range, if they
 * are more than 64), in a thousandth of the rows or more; or
 * - next to them, and at least twice as frequent as each of them. */
struct frs_unrated frs_unrated_find(const struct frs_rows *rows, double from, double except);

/* "0 may mean "no rating": 62 of 100 rows (62 %) have it, …", or NULL where no value looks so. The caller
 * frees it. */
char *frs_unrated_text(const struct frs_unrated *found);

#endif
