/* Quoting: texts of other people (labels, paths, names) inside what the program writes, one function for
 * each medium.
 *
 * All of them turn a control character into a space. A question mark replaces bytes that are not UTF-8 and
 * characters that steer a terminal or reverse the direction of text. Results are freed with free(). */
#ifndef FRS_BASE_QUOTING_H
#define FRS_BASE_QUOTING_H

#include <stdarg.h>
#include <stdio.h>

/* One line of a terminal or a log. */
char *frs_quoted_line(const char *text);

/* printf, as one such line with its end. */
void frs_print_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void frs_vprint_line(FILE *out, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));

/* A field of a CSV file, in double quotes where it needs them. A spreadsheet would run a text that begins
 * with =, +,
 * - or @, so such a text gets an apostrophe in front. A number stays a number. */
char *frs_quoted_csv(const char *text);

/* A text inside a line of Markdown, table cells included: what would be markup or HTML is escaped. */
char *frs_quoted_markdown(const char *text);

#endif
