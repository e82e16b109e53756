/* Decimal marks: how the numbers of a file write decimals, with points or with commas, for files that people
 * make. A file in which some numbers have commas and others points is wrong, and so is one in which each
 * comma could also separate thousands. */
#ifndef FRS_BASE_DECIMAL_MARKS_H
#define FRS_BASE_DECIMAL_MARKS_H

#include <stdbool.h>
#include <stddef.h>

struct frs_decimal_marks {
    size_t comma_line, point_line; /* of the first number with a decimal comma, and with a point; 0: none */
    size_t thousands_line; /* of the first whose comma can separate thousands; 0: none, or others cannot */
};

/* Takes note of how a number in this line is written. Returns where its decimal comma is, or SIZE_MAX. */
size_t frs_decimal_marks_take(struct frs_decimal_marks *marks, const char *text, size_t n, size_t line);

/* At the end of a file: NULL, or what is wrong with the number in marks->comma_line. */
const char *frs_decimal_marks_wrong(const struct frs_decimal_marks *marks, char text[224]);

#endif
