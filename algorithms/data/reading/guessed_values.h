/* Guessed values: whether a column without a name is one of ratings.
 *
 * A third column of numbers may be a rating, and may as well be a category, a number of the order or a price.
 * It is taken for a rating if all of its values lie from -100 to 100; otherwise every row counts as 1, and
 * what was found is told. Whether it really is one, no program can know: `fedrecsim data` shows the first row
 * as it was read. */
#ifndef FRS_ALGORITHMS_DATA_READING_GUESSED_VALUES_H
#define FRS_ALGORITHMS_DATA_READING_GUESSED_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#define FRS_RATING_LEAST (-100.0)
#define FRS_RATING_MOST 100.0

/* "; column 3 is not taken for a rating: 9,439 distinct values up to 5,082,102 (data.csv_value = "3" takes
 * it)", which the caller frees, or NULL: these are ratings. `column` counts from 0. */
char *frs_guessed_values_refused(const float *values, size_t n, double least, double most, size_t column);

#endif
