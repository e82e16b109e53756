/* Cells: what the readers of all tables agree on, of interactions, fleets and traces alike: which texts stand
 * for no value, which lines are comments, and what surrounds a text without belonging to it. */
#ifndef FRS_BASE_CELLS_H
#define FRS_BASE_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#define FRS_CELL_ABSENT "NaN, NULL, NA, None or \\N"

/* Whether a text stands for no value: nothing, or what programs write for nothing: NaN, NULL, NA, N/A, None,
 * NaT and \N (pandas, R, SQL). */
bool frs_cell_is_absent(const char *text, size_t n);

/* Whether a line in front of the data is a comment: it begins with # or %, and a digit does not follow at
 * once, as in an id "#1". */
bool frs_cell_is_comment(const char *line, size_t n);

/* Takes blanks of every kind away from both ends of a text: blanks, tabs, no-break spaces, spaces without a
 * width and marks of a byte order. */
void frs_cell_trim(const char **text, size_t *n);

/* Whether an id looks like the name of a line of sums: "Total", "Grand Total", "Sum", "Gesamt", … */
bool frs_cell_is_total(const char *text, size_t n);

#endif
